import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type AnswerOf, get } from "../../api/http.ts";
import { useFilters } from "../../ui/use-filters.ts";
import { BYS, METRICS } from "./aggregate.ts";

export const PERIODS = ["7", "30", "90", "custom"] as const;

export type Usage = AnswerOf<"get", "/api/usage">;

const DAY_MS = 86_400_000;
const AGAIN_MS = 30_000;

export function useCostFilters() {
  const [filters, change] = useFilters();
  const period = PERIODS.find((known) => known === filters["period"]) ?? "30";
  const by = BYS.find((known) => known === filters["by"]) ?? "model";
  const metric = METRICS.find((known) => known === filters["metric"]) ?? null;
  const { from = "", until = "" } = filters;
  const range = rangeOf(period, from, until);
  return { period, by, metric, ...range, change };
}

/** The daemon counts by UTC days. */
function rangeOf(period: (typeof PERIODS)[number], from: string, until: string) {
  const today = new Date().toISOString().slice(0, 10);
  if (period === "custom") {
    const last = isDay(until) ? until : today;
    const first = isDay(from) && from <= last ? from : dayBefore(last, 29);
    return { from: first, until: last };
  }
  return { from: dayBefore(today, Number(period) - 1), until: today };
}

function isDay(day: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day));
}

function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);
}

export function useUsage(from: string, until: string) {
  return useQuery({
    queryKey: ["usage", from, until],
    queryFn: ({ signal }) => get("/api/usage", { query: { from, until }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
  });
}
