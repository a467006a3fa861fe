import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { WireTask } from "../../../../../src/contract/shapes/tasks.ts";
import { get } from "../../../api/http.ts";
import { useLive } from "../../../live/store.ts";
import type { TaskStatus } from "../columns.ts";

export type TaskFilter = {
  /** Empty means all. */
  readonly statuses: readonly TaskStatus[];
  readonly text: string;
  readonly priority: string;
};

const PER_PAGE = 100;
/** Filters applied in the browser can empty a page; then the next one is loaded. */
const MIN_SHOWN = 20;

/**
 * Tasks, newest first, loaded as far as the reader has scrolled. Changes come from the live state,
 * so that an event never reloads ten thousand tasks.
 */
export function useTaskList(filter: TaskFilter) {
  const { statuses, text, priority } = filter;
  const wanted = statuses.join(",");
  const list = useInfiniteQuery({
    queryKey: ["tasks", wanted, text],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: PER_PAGE,
        ...(wanted && { status: wanted }),
        ...(text && { q: text }),
        ...(pageParam && { cursor: pageParam }),
      };
      return get("/api/tasks", { query, signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 30_000,
  });
  const live = useLive(({ tasks }) => tasks);
  const tasks = useMemo(() => {
    const read = new Map(
      list.data?.pages.flatMap((page) => page.tasks).map((task) => [task.taskId, task]),
    );
    for (const task of live.values()) {
      const known = read.get(task.taskId);
      if (known ? known.version <= task.version : matches(task, text)) read.set(task.taskId, task);
    }
    return [...read.values()]
      .filter(
        (task) =>
          (wanted === "" || wanted.split(",").includes(task.status)) &&
          (priority === "" || task.priority === priority),
      )
      .sort(newestFirst);
  }, [list.data, live, wanted, text, priority]);

  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = list;
  const isShort = tasks.length < MIN_SHOWN && hasNextPage && !isFetchingNextPage && !isError;
  useEffect(() => {
    if (isShort) void fetchNextPage();
  }, [isShort, fetchNextPage]);

  return {
    tasks,
    isPending: list.isPending,
    error: list.data ? null : list.error,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore: () => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
    },
    retry: () => void list.refetch(),
  };
}

function matches({ request, title, taskId }: WireTask, text: string): boolean {
  if (text === "") return true;
  const wanted = text.toLowerCase();
  return [request, title ?? "", taskId].some((part) => part.toLowerCase().includes(wanted));
}

function newestFirst(a: WireTask, b: WireTask): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.taskId < b.taskId ? 1 : -1;
}
