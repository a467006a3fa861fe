import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import { get } from "../../../api/http.ts";
import { useLive } from "../../../live/store.ts";

type Page = {
  readonly approvals: readonly WireApproval[];
  readonly pending: number;
  readonly nextCursor: string | null;
};

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
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam && `&cursor=${encodeURIComponent(pageParam)}`;
      return get<Page>(`/api/approvals?status=pending&limit=500${cursor}`, signal);
    },
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
