import type { AgentCall } from "../../domain/gateway/tool-call.ts";
import type { Core } from "../core.ts";

/**
 * The calls that these hosts have in flight, or had when they died. A call without a sender is of a
 * version before this one: it went through the host of its agent.
 */
export async function callsSentBy<Call extends Pick<AgentCall, "agentId" | "sentBy">>(
  { store }: Pick<Core, "store">,
  calls: readonly Call[],
  hosts: ReadonlySet<string | null>,
): Promise<readonly Call[]> {
  const nameless = calls.filter(({ sentBy }) => sentBy === null);
  const agents =
    nameless.length === 0 ? [] : await store.getAgents(nameless.map(({ agentId }) => agentId));
  const hostOf = new Map(agents.map(({ id, workerId }) => [id, workerId]));
  return calls.filter(({ agentId, sentBy }) => hosts.has(sentBy ?? hostOf.get(agentId) ?? null));
}
