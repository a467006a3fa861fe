import type { Agent } from "../../domain/agents/agent.ts";
import type { Core } from "../core.ts";

/**
 * Whether a waiting agent is still this server's, or this worker's. When the lease has ended, another
 * host may have taken the agent. A server that has the store for itself takes nothing.
 */
export function isTakenHere(
  { serverId }: Pick<Core, "serverId">,
  agent: Pick<Agent, "workerId"> | undefined,
): boolean {
  return serverId === null || agent?.workerId === serverId;
}
