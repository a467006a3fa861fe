import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo } from "react";
import type { WireHistoryEntry } from "../../../../src/contract/record-shapes.ts";
import { get } from "../../api/http.ts";
import type { Order } from "./filters.ts";

const PAGE = 200;

type Answer = { readonly entries: readonly WireHistoryEntry[]; readonly nextCursor: string | null };

export function readHistory(
  query: string,
  order: Order,
  cursor: string | null,
  limit: number,
  signal: AbortSignal,
): Promise<Answer> {
  const asked = new URLSearchParams(query);
  asked.set("order", order);
  asked.set("limit", String(limit));
  if (cursor !== null) asked.set("cursor", cursor);
  return get<Answer>(`/api/history?${asked.toString()}`, signal);
}

/** Page by page; a reader deep in the past is told that there is more, not moved. */
export function useHistory(query: string, order: Order) {
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
  // The key begins as the events of agents do, so that each that ends is looked for.
  const newest = useQuery({
    queryKey: ["agent", "history", query],
    queryFn: ({ signal }) => readHistory(query, "desc", null, 1, signal),
  });
  // The newest is at one end or the other; an end that is not read yet is not old.
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
