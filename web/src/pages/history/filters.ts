import { useMemo } from "react";
import type { InputOf } from "../../api/http.ts";
import { useFilters } from "../../ui/use-filters.ts";

export const SETTLED = [
  "completed",
  "resultReported",
  "failed",
  "timedOut",
  "cancelled",
  "lost",
] as const;
export const PERIODS = ["all", "day", "week", "month", "custom"] as const;
export type Period = (typeof PERIODS)[number];
export const VIEWS = ["list", "groups"] as const;
/** Sort order by end time. */
export const ORDERS = ["desc", "asc"] as const;
export type Order = (typeof ORDERS)[number];

export type HistoryQuery = NonNullable<InputOf<"get", "/api/history">["query"]>;

const DAY_MS = 86_400_000;
const LENGTH: Partial<Record<Period, number>> = {
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
};

/** Filters from the URL; invalid values are ignored. */
export function useHistoryFilters() {
  const [filters, change] = useFilters();
  const period = PERIODS.find((known) => known === filters["period"]) ?? "all";
  const view = VIEWS.find((known) => known === filters["view"]) ?? "list";
  const status = SETTLED.find((known) => known === filters["status"]) ?? "";
  const order = ORDERS.find((known) => known === filters["order"]) ?? "desc";
  const { group = "", role = "", runner = "", from = "", until = "" } = filters;
  // Computed once, not at every render: the query must stay the same while its pages are read.
  const query: HistoryQuery = useMemo(
    () => ({
      ...(group && { groupId: group.slice(0, 200) }),
      ...(role && { role: role.slice(0, 200) }),
      ...(runner && { runner: runner.slice(0, 200) }),
      ...(status && { status }),
      ...timesOf(period, from, until),
    }),
    [group, role, runner, status, period, from, until],
  );
  const isFiltered = Object.keys(query).length > 0;
  return {
    group,
    role,
    runner,
    status,
    period,
    from,
    until,
    view,
    order,
    query,
    isFiltered,
    change,
  };
}
export type HistoryFilters = ReturnType<typeof useHistoryFilters>;

function timesOf(
  period: Period,
  from: string,
  until: string,
): Pick<HistoryQuery, "from" | "until"> {
  const length = LENGTH[period];
  if (length !== undefined) return { from: new Date(Date.now() - length).toISOString() };
  if (period !== "custom") return {};
  const first = dayAt(from);
  const last = dayAt(until);
  return {
    ...(first !== null && { from: new Date(first).toISOString() }),
    ...(last !== null && { until: new Date(nextDay(last)).toISOString() }),
  };
}

/** Midnight in the reader's time zone. */
function dayAt(day: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const at = new Date(`${day}T00:00:00`).getTime();
  return Number.isNaN(at) ? null : at;
}

function nextDay(at: number): number {
  const day = new Date(at);
  day.setDate(day.getDate() + 1);
  return day.getTime();
}
