import { useQuery } from "@tanstack/react-query";
import type { AgentCard } from "../../../../src/contract/shapes/agents.ts";
import { get } from "../../api/http.ts";
import { useLive } from "../../live/store.ts";

export type Usage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
};

export type AgentResult = {
  readonly status: "success" | "failure" | "timeout" | "cancelled";
  readonly summary: string;
  readonly response: string;
  readonly editedFiles: readonly string[];
  readonly createdFiles: readonly string[];
  readonly errorMessage?: string;
  readonly exitCode?: number | "unknown";
  readonly usage?: Usage;
  readonly warnings?: readonly string[];
  readonly rehearsal?: boolean;
  readonly timestamp: string;
};

/** Response of GET /api/agents/{id}. */
export type AgentDetail = AgentCard & {
  readonly prompt: string;
  readonly workingDirectory: string;
  readonly access: "read-only" | "read-write";
  readonly timeout_ms: number | null;
  readonly stopReason: string | null;
  readonly progress: {
    readonly lastMessage: string;
    readonly editedFiles: readonly string[];
    readonly createdFiles: readonly string[];
    readonly usage: Usage | null;
    readonly sessionId: string | null;
    readonly skippedLines: number;
  };
  readonly cost: {
    readonly cost: number | null;
    readonly currency: string;
    readonly reason: "no price" | "no usage" | null;
  };
  readonly result: AgentResult | null;
};

const ASK_AGAIN_MS = 10_000;

/** The loaded agent merged with its live state, so that its status is never outdated. */
export function useAgent(agentId: string) {
  const live = useLive((state) => state.agents.get(agentId));
  const query = useQuery({
    queryKey: ["agent", agentId],
    queryFn: ({ signal }) => get<AgentDetail>(`/api/agents/${encodeURIComponent(agentId)}`, signal),
    // Tokens and files change with status updates, which invalidate no query.
    refetchInterval: ({ state }) => (isLive(state.data?.status) ? ASK_AGAIN_MS : false),
  });
  const agent = query.data && (live ? { ...query.data, ...live } : query.data);
  return { ...query, agent };
}

export function isLive(status: string | undefined): boolean {
  return status === "queued" || status === "running";
}
