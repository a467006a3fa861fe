import { useQuery } from "@tanstack/react-query";
import { type AnswerOf, get } from "../../api/http.ts";
import { useLive } from "../../live/store.ts";

export type AgentDetail = AnswerOf<"get", "/api/agents/{id}">;

const ASK_AGAIN_MS = 10_000;

/** The loaded agent merged with its live state, so that its status is never outdated. */
export function useAgent(agentId: string) {
  const live = useLive((state) => state.agents.get(agentId));
  const query = useQuery({
    queryKey: ["agent", agentId],
    queryFn: ({ signal }) => get("/api/agents/{id}", { params: { id: agentId }, signal }),
    // Tokens and files change with status updates, which invalidate no query.
    refetchInterval: ({ state }) => (isLive(state.data?.status) ? ASK_AGAIN_MS : false),
  });
  const agent = query.data && (live ? { ...query.data, ...live } : query.data);
  return { ...query, agent };
}

export function isLive(status: string | undefined): boolean {
  return status === "queued" || status === "running";
}
