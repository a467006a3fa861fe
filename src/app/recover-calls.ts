import { isRoleCall } from "../domain/role-call.ts";
import type { AgentCall } from "../domain/tool-call.ts";
import type { Core } from "./core.ts";
import { recordAgentAnswerIn } from "./record-agent-answer.ts";
import { recordAnswerIn } from "./record-answer.ts";

/** What the configuration says of a tool; the servers may not be there yet. */
export type IsReadOnly = (call: Pick<AgentCall, "server" | "tool">) => boolean;

/**
 * At the start of the daemon: calls that an earlier one forwarded and whose answers are lost. They
 * are never repeated by themselves; a person is asked. Must be done before agents can call again.
 */
export async function recoverCalls(core: Core, isReadOnly: IsReadOnly): Promise<number> {
  const ofTasks = (await core.store.listForwardedToolCalls()).filter((call) => isLost(core, call));
  for (const call of ofTasks) await recover(core, call, isReadOnly, recordAnswerIn);
  const others = (await core.store.listForwardedAgentCalls()).filter((call) => isLost(core, call));
  for (const call of others) await recover(core, call, isReadOnly, recordAgentAnswerIn);
  const calls = ofTasks.length + others.length;
  if (calls > 0) {
    core.log.warn("Calls were under way when the last daemon ended; people are asked about them.", {
      calls,
    });
  }
  return calls;
}

/** The agent of a role goes on by itself; what this process has sent is waited for. */
function isLost(core: Core, call: AgentCall): boolean {
  const ours = core.calls.ofAgents(new Set([call.agentId]));
  return !isRoleCall(call) && !ours.some(({ id }) => id === call.id);
}

async function recover(
  core: Core,
  call: AgentCall,
  isReadOnly: IsReadOnly,
  recordIn: typeof recordAnswerIn,
): Promise<void> {
  const event = isReadOnly(call) ? "failed" : "answer_lost";
  const error = "The daemon ended before the answer came.";
  const events = await core.store.transaction((unit) =>
    recordIn(core, unit, call.id, { event, answer: null, error }),
  );
  core.live.publish(events);
}
