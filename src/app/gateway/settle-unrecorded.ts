import type { AgentCall } from "../../domain/gateway/tool-call.ts";
import type { Core } from "../core.ts";
import type { GatewayCall } from "./gateway-call.ts";
import { isReadOnlyTool } from "./read-only-tool.ts";
import { recordAgentAnswer } from "./record-agent-answer.ts";
import { recordAnswer } from "./record-answer.ts";
import { lostOf, recordLost } from "./recover-calls.ts";

const ERROR = "How the call ended could not be stored.";

/**
 * A call that is `forwarded` and not in flight has ended, and its end could not be stored. Before
 * another call of the same task is authorized it becomes `outcome_unknown` and a person is asked, as
 * after a restart; otherwise the same call would be sent again.
 */
export async function settleUnrecorded(core: Core, { agentId }: GatewayCall): Promise<void> {
  const forwarded = await core.store.listForwardedToolCalls();
  const lost = await lostOf(core, forwarded, ownHosts(core));
  if (lost.length === 0) return;
  const agent = await core.store.getAgent(agentId);
  for (const call of lost.filter(({ taskId }) => taskId === agent?.taskId)) {
    await recordLost(core, call, endOf(core, call), recordAnswer);
  }
}

/** The same for calls with a human check outside a task. */
export async function settleUnrecordedOfAgent(core: Core, { agentId }: GatewayCall): Promise<void> {
  const forwarded = await core.store.listForwardedAgentCalls();
  const own = forwarded.filter((call) => call.agentId === agentId);
  for (const call of await lostOf(core, own, ownHosts(core))) {
    await recordLost(core, call, endOf(core, call), recordAgentAnswer);
  }
}

/** This server, and the worker whose agent calls through it. */
function ownHosts({ calls, serverId }: Core): ReadonlySet<string | null> {
  return new Set([calls.serverId, serverId]);
}

function endOf(core: Core, call: AgentCall) {
  return { isReadOnly: isReadOnlyTool(core, call), error: ERROR };
}
