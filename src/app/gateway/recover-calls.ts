import { isRoleCall } from "../../domain/gateway/role-call.ts";
import type { AgentCall } from "../../domain/gateway/tool-call.ts";
import type { Core } from "../core.ts";
import { callsSentBy } from "./calls-sent-by.ts";
import { recordAgentAnswer } from "./record-agent-answer.ts";
import { recordAnswer } from "./record-answer.ts";

/** Decided by the configuration, because the servers may not be connected yet. */
export type IsReadOnly = (call: Pick<AgentCall, "server" | "tool">) => boolean;

const ERROR = "The daemon ended before the answer came.";

/**
 * Settles calls that an earlier daemon of the server forwarded and whose answers are lost. They are never retried
 * automatically; a person is asked. Must run before agents can call again.
 */
export async function recoverCalls(
  core: Core,
  isReadOnly: IsReadOnly,
  serverId: string | null = core.serverId,
): Promise<number> {
  const hosts = new Set([serverId]);
  const ofTasks = await lostOf(core, await core.store.listForwardedToolCalls(), hosts);
  const endOf = (call: AgentCall) => ({ isReadOnly: isReadOnly(call), error: ERROR });
  for (const call of ofTasks) await recordLost(core, call, endOf(call), recordAnswer);
  const others = await lostOf(core, await core.store.listForwardedAgentCalls(), hosts);
  for (const call of others) await recordLost(core, call, endOf(call), recordAgentAnswer);
  const calls = ofTasks.length + others.length;
  if (calls > 0) {
    core.log.warn("Calls were in flight when the last daemon ended; their outcome is unknown.", {
      calls,
    });
  }
  return calls;
}

/** Calls that other servers have in flight are alive. */
export async function lostOf<Call extends AgentCall>(
  core: Core,
  calls: readonly Call[],
  hosts: ReadonlySet<string | null>,
): Promise<readonly Call[]> {
  const lost = calls.filter((call) => isLost(core, call));
  return core.calls.serverId === null ? lost : callsSentBy(core, lost, hosts);
}

/**
 * The answer of this call can no longer arrive. Not so for role calls, whose agent keeps running, and
 * for calls that this process has in flight. It only waits for a call that another server carries out.
 */
function isLost({ calls }: Core, call: AgentCall): boolean {
  if (isRoleCall(call)) return false;
  if (call.sentBy !== null && call.sentBy !== calls.serverId) return true;
  return !calls.ofAgents(new Set([call.agentId])).some(({ id }) => id === call.id);
}

/** The call may have taken effect, so a person is asked; a read-only call has failed. */
export async function recordLost(
  core: Core,
  { id }: AgentCall,
  { isReadOnly, error }: { readonly isReadOnly: boolean; readonly error: string },
  record: typeof recordAnswer,
): Promise<void> {
  const event = isReadOnly ? "failed" : "answer_lost";
  await core.store.transaction((unit) => record(core, unit, id, { event, answer: null, error }));
}
