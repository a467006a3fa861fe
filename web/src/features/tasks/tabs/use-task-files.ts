import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { type AnswerOf, get } from "../../../api/http.ts";
import type { TaskDetail } from "../../../api/task-detail.ts";

export type AgentFiles = AnswerOf<"get", "/api/agents/{id}/files">;

export type TaskFiles = {
  /** Agents that wrote files, oldest first. */
  readonly writers: readonly AgentFiles[];
  readonly count: number;
  readonly isPending: boolean;
};

const MAX_AGENTS = 40;
const ASK_AGAIN_MS = 10_000;

/** Files written by the task's agents, as observed and as reported. */
export function useTaskFiles({ agents }: Pick<TaskDetail, "agents">): TaskFiles {
  return useQueries({
    queries: agents.slice(-MAX_AGENTS).map(({ agentId, status }) => ({
      // An agent that has ended writes nothing more.
      queryKey: ["agent", agentId, "files", status],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        get("/api/agents/{id}/files", { params: { id: agentId }, signal }),
      // Files change with status updates, which invalidate no query.
      refetchInterval: status === "running" ? ASK_AGAIN_MS : (false as const),
    })),
    combine: together,
  });
}

function together(found: readonly UseQueryResult<AgentFiles>[]): TaskFiles {
  const writers = found.flatMap(({ data }) => (data && countOf(data) > 0 ? [once(data)] : []));
  return {
    writers,
    count: writers.reduce((sum, files) => sum + countOf(files), 0),
    isPending: found.some(({ isPending }) => isPending),
  };
}

/** A file that was created and then edited counts as created. */
function once(files: AgentFiles): AgentFiles {
  const created = new Set(files.createdFiles);
  return { ...files, editedFiles: files.editedFiles.filter((path) => !created.has(path)) };
}

export function countOf({ editedFiles, createdFiles }: AgentFiles): number {
  return editedFiles.length + createdFiles.length;
}
