import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { get } from "../../../api/http.ts";
import { useLive } from "../../../live/store.ts";

/**
 * Pending approvals, oldest first. The live state has the first few hundred; the rest is loaded in
 * pages.
 */
export function usePending() {
  const live = useLive(({ approvals }) => approvals);
  const pending = useLive(({ pendingApprovals }) => pendingApprovals);
  const isMore = pending > live.size;
  const rest = useInfiniteQuery({
    queryKey: ["approval", "pending"],
    queryFn: ({ pageParam, signal }) =>
      get("/api/approvals", {
        query: { status: "pending", limit: 500, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled: isMore,
  });
  const approvals = useMemo(() => {
    const all = new Map(
      (isMore ? (rest.data?.pages ?? []) : [])
        .flatMap((page) => page.approvals)
        .map((approval) => [approval.approvalId, approval]),
    );
    for (const [id, approval] of live) all.set(id, approval);
    return [...all.values()].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  }, [live, isMore, rest.data]);
  const total = Math.max(pending, approvals.length);
  return { approvals, total, rest: total - approvals.length, loadMore: rest.fetchNextPage };
}
