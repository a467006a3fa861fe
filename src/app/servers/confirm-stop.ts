import { isRoleCall } from "../../domain/gateway/role-call.ts";
import type { AgentCall } from "../../domain/gateway/tool-call.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import { callsSentBy } from "../gateway/calls-sent-by.ts";

/** After this time no server sends a call whose intent was committed before the stop. */
export const STOP_CONFIRMED_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 20;

/**
 * Resolves when no other server has a call of these agents in flight: each one aborts its own calls
 * when it learns of the stop. Returns the calls that were not confirmed in time.
 */
export async function confirmStop(
  core: Core,
  agentIds: readonly AgentId[],
): Promise<readonly Pick<AgentCall, "server" | "tool" | "agentId">[]> {
  if (core.calls.serverId === null || agentIds.length === 0) return [];
  const until = performance.now() + STOP_CONFIRMED_WITHIN_MS;
  for (;;) {
    const open = await callsElsewhere(core, new Set(agentIds));
    if (open.length === 0 || performance.now() >= until) {
      return open.map(({ server, tool, agentId }) => ({ server, tool, agentId }));
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function callsElsewhere(
  core: Core,
  agentIds: ReadonlySet<AgentId>,
): Promise<readonly AgentCall[]> {
  const forwarded = [
    ...(await core.store.listForwardedToolCalls()),
    ...(await core.store.listForwardedAgentCalls()),
  ].filter((call) => agentIds.has(call.agentId) && !isRoleCall(call));
  const own = new Set(await callsSentBy(core, forwarded, new Set([core.calls.serverId])));
  return forwarded.filter((call) => !own.has(call));
}
