import type { AgentId, ToolCallId } from "../../domain/ids.ts";

/** A call of an upstream tool that is being made now. */
export type CallInFlight = {
  readonly id: ToolCallId;
  readonly agentId: AgentId;
  readonly server: string;
  readonly tool: string;
  /** Cancels it upstream. */
  readonly abort: AbortController;
};

/**
 * What is under way to upstream servers. A call is entered before its intent is committed, so that
 * a stop committed after that intent always finds it here.
 */
export type CallsInFlight = {
  enter(call: CallInFlight): () => void;
  ofAgents(agentIds: ReadonlySet<AgentId>): readonly CallInFlight[];
  size(): number;
  /** An answer went to this agent since this process began; before, its last one may be lost. */
  hasAnswered(agentId: AgentId): boolean;
  answered(agentId: AgentId): void;
  /** Its last answer may not have arrived, or it is settled. */
  forget(agentId: AgentId): void;
};

export function createCallsInFlight(): CallsInFlight {
  const calls = new Set<CallInFlight>();
  const answered = new Set<AgentId>();
  return {
    enter(call) {
      calls.add(call);
      return () => calls.delete(call);
    },
    ofAgents: (agentIds) => [...calls].filter(({ agentId }) => agentIds.has(agentId)),
    size: () => calls.size,
    hasAnswered: (agentId) => answered.has(agentId),
    answered: (agentId) => void answered.add(agentId),
    forget: (agentId) => void answered.delete(agentId),
  };
}
