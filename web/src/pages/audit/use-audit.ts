import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo } from "react";
import type { WireAudit } from "../../../../src/contract/task-shapes.ts";
import { get } from "../../api/http.ts";

const PAGE = 200;
const NEAR_TOP_PX = 400;

type Answer = { readonly entries: readonly WireAudit[]; readonly nextCursor: string | null };

export function readAudit(
  query: string,
  cursor: string | null,
  limit: number,
  signal: AbortSignal,
): Promise<Answer> {
  const asked = new URLSearchParams(query);
  asked.set("limit", String(limit));
  if (cursor !== null) asked.set("cursor", cursor);
  return get<Answer>(`/api/audit?${asked.toString()}`, signal);
}

/** Page by page; a reader deep in the past is told that there is more, not moved. */
export function useAudit(query: string) {
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
  // No event says that something was recorded; whatever happened may have been.
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
    // Another may have come while the list was read.
  }, [isOld, last, pages]);
  return { read, entries, hasNewer: isOld };
}

/** Not of the area `audit`: what was read of the past does not change with what happens. */
export function listKey(query: string): readonly string[] {
  return ["audit-entries", query];
}

function firstPage(): string | null {
  return null;
}
