import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { get } from "../../../api/http.ts";
import type { TaskDetail } from "../../../api/task-detail.ts";

/** As GET /api/agents/{id}/files answers. */
export type AgentFiles = {
  readonly agentId: string;
  readonly workingDirectory: string;
  readonly editedFiles: readonly string[];
  readonly createdFiles: readonly string[];
};

export type TaskFiles = {
  /** Those who wrote something, oldest first. */
  readonly writers: readonly AgentFiles[];
  readonly count: number;
  readonly isPending: boolean;
};

const MOST_AGENTS = 40;
const ASK_AGAIN_MS = 10_000;

/** What the task's agents have written, as observed and as they reported. */
export function useTaskFiles({ agents }: Pick<TaskDetail, "agents">): TaskFiles {
  return useQueries({
    queries: agents.slice(-MOST_AGENTS).map(({ agentId, status }) => ({
      // One that has ended writes nothing more.
      queryKey: ["agent", agentId, "files", status],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        get<AgentFiles>(`/api/agents/${encodeURIComponent(agentId)}/files`, signal),
      // Files come with updates, which refresh no query.
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

/** What an agent made and then changed is one new file. */
function once(files: AgentFiles): AgentFiles {
  const created = new Set(files.createdFiles);
  return { ...files, editedFiles: files.editedFiles.filter((path) => !created.has(path)) };
}

export function countOf({ editedFiles, createdFiles }: AgentFiles): number {
  return editedFiles.length + createdFiles.length;
}
