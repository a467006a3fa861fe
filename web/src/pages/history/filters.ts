import { useMemo } from "react";
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
  const query = useMemo(() => {
    const asked = new URLSearchParams();
    if (group) asked.set("groupId", group.slice(0, 200));
    if (role) asked.set("role", role.slice(0, 200));
    if (runner) asked.set("runner", runner.slice(0, 200));
    if (status) asked.set("status", status);
    const length = LENGTH[period];
    // Computed once, because the query must stay the same while its pages are loaded.
    if (length !== undefined) asked.set("from", new Date(Date.now() - length).toISOString());
    if (period === "custom") {
      const first = dayAt(from);
      const last = dayAt(until);
      if (first !== null) asked.set("from", new Date(first).toISOString());
      if (last !== null) asked.set("until", new Date(nextDay(last)).toISOString());
    }
    return asked.toString();
  }, [group, role, runner, status, period, from, until]);
  const isFiltered = query !== "";
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
