import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { WireSchedule } from "../../../../src/contract/shapes/schedules.ts";
import { get } from "../../api/http.ts";

const RUNS = 50;

/** Every event of a schedule refreshes the area `schedule`. */
export function useSchedules() {
  return useQuery({
    queryKey: ["schedule"],
    queryFn: ({ signal }) => get("/api/schedules", { signal }),
  });
}

/** Schedules that paused themselves; they wait for a person to resume them. */
export function useSelfPaused(): readonly WireSchedule[] {
  const { data } = useSchedules();
  return useMemo(
    () =>
      (data?.schedules ?? []).filter(
        ({ status, pausedReason }) => status === "paused" && pausedReason !== null,
      ),
    [data],
  );
}

export function useSchedule(id: string) {
  return useQuery({
    queryKey: ["schedule", id],
    queryFn: ({ signal }) => get("/api/schedules/{id}", { params: { id }, signal }),
    retry: false,
  });
}

export function useScheduleRuns(id: string) {
  return useInfiniteQuery({
    queryKey: ["schedule", id, "runs"],
    queryFn: ({ pageParam, signal }) =>
      get("/api/schedules/{id}/runs", {
        params: { id },
        query: { limit: RUNS, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: firstPage(),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

export function usePreview(cron: string, timeZone: string) {
  return useQuery({
    queryKey: ["schedule-preview", cron, timeZone],
    queryFn: ({ signal }) =>
      get("/api/schedule-preview", {
        query: { cron, ...(timeZone.trim() !== "" && { timeZone }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

function firstPage(): string | null {
  return null;
}
