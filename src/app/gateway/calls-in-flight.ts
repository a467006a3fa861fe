import type { AgentId, ToolCallId } from "../../domain/ids.ts";

export type CallInFlight = {
  readonly id: ToolCallId;
  readonly agentId: AgentId;
  readonly server: string;
  readonly tool: string;
  /** Cancels it upstream. */
  readonly abort: AbortController;
};

/**
 * The calls in flight to upstream servers. A call is entered before its intent is committed, so that
 * a stop committed after that intent always finds it here.
 */
export type CallsInFlight = {
  /** The server whose calls these are, also for agents of its workers; null: there is only one. */
  readonly serverId: string | null;
  enter(call: CallInFlight): () => void;
  ofAgents(agentIds: ReadonlySet<AgentId>): readonly CallInFlight[];
  all(): readonly CallInFlight[];
  size(): number;
  /** This server stops: callers whose connections it closes have not cancelled their calls. */
  noteStopping(): void;
  isStopping(): boolean;
  /** A call waits for the decision of a person; the function says that it does no longer. */
  hold(): () => void;
  heldCount(): number;
  /**
   * This process has delivered an answer to the agent; if not, its last answer may be lost. With
   * several servers the rows of the calls say so.
   */
  hasAnswered(agentId: AgentId): boolean;
  answered(agentId: AgentId): void;
  /** The last answer may not have arrived, or the agent is settled. */
  forget(agentId: AgentId): void;
  /** An answer is handed to a caller of this server; the function says that its row tells how it went. */
  deliver(id: ToolCallId): () => void;
  isDelivering(id: ToolCallId): boolean;
};

export function createCallsInFlight(serverId: string | null = null): CallsInFlight {
  const calls = new Set<CallInFlight>();
  const answered = new Set<AgentId>();
  const deliveries = new Set<{ readonly id: ToolCallId }>();
  let held = 0;
  let isStopping = false;
  return {
    serverId,
    enter(call) {
      calls.add(call);
      return () => calls.delete(call);
    },
    ofAgents: (agentIds) => [...calls].filter(({ agentId }) => agentIds.has(agentId)),
    all: () => [...calls],
    size: () => calls.size,
    noteStopping: () => void (isStopping = true),
    isStopping: () => isStopping,
    hold() {
      held += 1;
      return () => void (held -= 1);
    },
    heldCount: () => held,
    hasAnswered: (agentId) => answered.has(agentId),
    answered: (agentId) => void answered.add(agentId),
    forget: (agentId) => void answered.delete(agentId),
    deliver(id) {
      const delivery = { id };
      deliveries.add(delivery);
      return () => void deliveries.delete(delivery);
    },
    isDelivering: (id) => [...deliveries].some((delivery) => delivery.id === id),
  };
}
