import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { get } from "../../../api/http.ts";
import type { TaskDetail } from "../../../api/task-detail.ts";
import { mergeRows, type UsageRow } from "../../agents/usage-rows.ts";

type GroupUsage = { readonly usage: readonly UsageRow[] };

export type TaskCost = {
  readonly usage: readonly UsageRow[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
};

/** Every role call has its own group; beyond this number the oldest are left out. */
const MAX_GROUPS = 100;

/** Usage of the task's own group and of the groups of its role calls. */
export function useTaskCost({ groupId, agents }: Pick<TaskDetail, "groupId" | "agents">): TaskCost {
  const groups = [...new Set([...agents.map((agent) => agent.groupId), groupId])];
  return useQueries({
    queries: groups.slice(-MAX_GROUPS).map((id) => ({
      queryKey: ["group", id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        get("/api/groups/{id}", { params: { id }, signal }),
    })),
    combine: together,
  });
}

function together(found: readonly UseQueryResult<GroupUsage>[]): TaskCost {
  return {
    usage: mergeRows(found.flatMap(({ data }) => data?.usage ?? [])),
    isPending: found.some(({ isPending }) => isPending),
    error: found.find(({ isError, data }) => isError && !data)?.error ?? null,
    retry: () => {
      for (const { isError, refetch } of found) if (isError) void refetch();
    },
  };
}
