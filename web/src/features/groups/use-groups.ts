import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { WireGroup } from "../../../../src/contract/shapes/groups.ts";
import { get } from "../../api/http.ts";
import { useLive } from "../../live/store.ts";

const PAGE = 200;

/** All groups, newest first; live values win over loaded ones. */
export function useGroups() {
  const live = useLive((state) => state.groups);
  const query = useInfiniteQuery({
    queryKey: ["group", "list"],
    queryFn: ({ pageParam, signal }) =>
      get("/api/groups", {
        query: { limit: PAGE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: noCursor(),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const groups = useMemo(() => {
    const byId = new Map<string, WireGroup>();
    for (const page of query.data?.pages ?? []) {
      for (const group of page.groups) byId.set(group.groupId, group);
    }
    for (const [id, group] of live) byId.set(id, group);
    return [...byId.values()].sort((one, other) => other.createdAt.localeCompare(one.createdAt));
  }, [query.data, live]);
  return { ...query, groups };
}

function noCursor(): string | null {
  return null;
}
