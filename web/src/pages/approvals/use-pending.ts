import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { WireApproval } from "../../../../src/contract/task-shapes.ts";
import { get } from "../../api/http.ts";
import { useLive } from "../../live/store.ts";

type Page = {
  readonly approvals: readonly WireApproval[];
  readonly pending: number;
  readonly nextCursor: string | null;
};

/** How many a snapshot has at most; beyond it the rest is asked for. */
const SNAPSHOT_HAS = 200;

/** Everything that waits for a person, the oldest first. */
export function usePending() {
  const live = useLive(({ approvals }) => approvals);
  const isMore = live.size >= SNAPSHOT_HAS;
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
  return { approvals, isMore: isMore && rest.hasNextPage, loadMore: rest.fetchNextPage };
}
