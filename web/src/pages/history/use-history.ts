import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo } from "react";
import type { WireHistoryEntry } from "../../../../src/contract/shapes/history.ts";
import { get } from "../../api/http.ts";
import type { HistoryQuery, Order } from "./filters.ts";

const PAGE = 200;

export function readHistory(
  filter: HistoryQuery,
  order: Order,
  cursor: string | null,
  limit: number,
  signal: AbortSignal,
) {
  const query = { ...filter, order, limit, ...(cursor !== null && { cursor }) };
  return get("/api/history", { query, signal });
}

/** Loaded in pages. New entries are announced, not inserted, so that the reader's place does not move. */
export function useHistory(query: HistoryQuery, order: Order) {
  const read = useInfiniteQuery({
    queryKey: ["history", query, order],
    queryFn: ({ pageParam, signal }) => readHistory(query, order, pageParam, PAGE, signal),
    initialPageParam: startOfAll(),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const entries = useMemo(
    () => read.data?.pages.flatMap((page) => page.entries) ?? [],
    [read.data],
  );
  // The key starts with the area of agent events, so that every ended agent invalidates it.
  const newest = useQuery({
    queryKey: ["agent", "history", query],
    queryFn: ({ signal }) => readHistory(query, "desc", null, 1, signal),
  });
  // The newest entry is at the start or at the end; an end that is not loaded cannot be outdated.
  const isEndRead = order === "desc" || !read.hasNextPage;
  const isOld =
    read.isSuccess &&
    !read.isPlaceholderData &&
    isEndRead &&
    newest.data !== undefined &&
    markOf(newest.data.entries[0]) !== markOf(entries.at(order === "desc" ? 0 : -1));
  const pages = read.data?.pages.length ?? 0;
  const refresh = useEffectEvent(() => void read.refetch());
  useEffect(() => {
    if (isOld && pages <= 1 && (order === "asc" || window.scrollY < 400)) refresh();
  }, [isOld, pages, order]);
  return { read, entries, hasNewer: isOld && pages > 1 };
}

function startOfAll(): string | null {
  return null;
}

function markOf(entry: WireHistoryEntry | undefined): string {
  return entry ? `${entry.agentId} ${entry.status} ${entry.result}` : "";
}
