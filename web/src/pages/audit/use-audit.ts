import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo } from "react";
import { get, type InputOf } from "../../api/http.ts";

const PAGE = 200;
const NEAR_TOP_PX = 400;

export type AuditQuery = NonNullable<InputOf<"get", "/api/audit">["query"]>;

export function readAudit(
  filter: AuditQuery,
  cursor: string | null,
  limit: number,
  signal: AbortSignal,
) {
  const query = { ...filter, limit, ...(cursor !== null && { cursor }) };
  return get("/api/audit", { query, signal });
}

/** Loaded in pages. New entries are announced, not inserted, so that the reader's place does not move. */
export function useAudit(query: AuditQuery) {
  const read = useInfiniteQuery({
    queryKey: listKey(query),
    queryFn: ({ pageParam, signal }) => readAudit(query, pageParam, PAGE, signal),
    initialPageParam: firstPage(),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnMount: "always",
  });
  const entries = useMemo(
    () => read.data?.pages.flatMap((page) => page.entries) ?? [],
    [read.data],
  );
  // There are no audit events, so any event may mean a new entry.
  const newest = useQuery({
    queryKey: ["audit", "newest", query],
    queryFn: ({ signal }) => readAudit(query, null, 1, signal),
  });
  const last = newest.data?.entries[0]?.seq ?? 0;
  const isOld = read.isSuccess && last > (entries[0]?.seq ?? 0);
  const pages = read.data?.pages.length ?? 0;
  const refresh = useEffectEvent(() => void read.refetch());
  useEffect(() => {
    if (isOld && pages <= 1 && window.scrollY < NEAR_TOP_PX) refresh();
    // An entry may have been added while the list was loading.
  }, [isOld, last, pages]);
  return { read, entries, hasNewer: isOld };
}

/** Not in the area `audit`, because loaded entries never change. */
export function listKey(query: AuditQuery) {
  return ["audit-entries", query];
}

function firstPage(): string | null {
  return null;
}
