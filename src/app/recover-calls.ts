import { isRoleCall } from "../domain/role-call.ts";
import type { ToolCall } from "../domain/tool-call.ts";
import type { Core } from "./core.ts";
import { recordAnswerIn } from "./record-answer.ts";

/** What the configuration says of a tool; the servers may not be there yet. */
export type IsReadOnly = (call: Pick<ToolCall, "server" | "tool">) => boolean;

/**
 * At the start of the daemon: calls an earlier one forwarded and nobody waits for any more. They
 * are never repeated by themselves; a person is asked. Must be done before agents can call again.
 */
export async function recoverCalls(core: Core, isReadOnly: IsReadOnly): Promise<number> {
  const lost = (await core.store.listForwardedToolCalls()).filter((call) => isLost(core, call));
  if (lost.length === 0) return 0;
  for (const call of lost) await recover(core, call, isReadOnly);
  core.log.warn("Calls were under way when the last daemon ended; what came of them is asked.", {
    calls: lost.length,
  });
  return lost.length;
}

/** The agent of a role goes on by itself; what this process has sent is waited for. */
function isLost(core: Core, call: ToolCall): boolean {
  const ours = core.calls.ofAgents(new Set([call.agentId]));
  return !isRoleCall(call) && !ours.some(({ id }) => id === call.id);
}

async function recover(core: Core, call: ToolCall, isReadOnly: IsReadOnly): Promise<void> {
  const event = isReadOnly(call) ? "failed" : "answer_lost";
  const error = "The daemon ended before the answer came.";
  const events = await core.store.transaction((unit) =>
    recordAnswerIn(core, unit, call.id, { event, answer: null, error }),
  );
  core.live.publish(events);
}
