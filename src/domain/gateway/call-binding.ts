import type { AgentId, ExecutionId, ProcessId, StepId } from "../ids.ts";
import type { ToolRef } from "../tasks/draft.ts";
import { canonicalJson } from "../text/canonical.ts";

type Args = Readonly<Record<string, unknown>>;

/** What an approval of a call is bound to; its hash finds it again. */
export function callBinding(
  executionId: ExecutionId,
  stepId: StepId | null,
  { server, tool }: ToolRef,
  args: Args,
): string {
  return canonicalJson([executionId, stepId, server, tool, args]);
}

/** The same for an agent that works on no execution: the approval is for this agent only. */
export function agentCallBinding(agentId: AgentId, { server, tool }: ToolRef, args: Args): string {
  return canonicalJson(["call", agentId, server, tool, args]);
}

/**
 * What the question about a lost answer is bound to: over all attempts at a process, because the
 * call may have taken effect in any of them. Outside a task: to the agent.
 */
export function outcomeBinding(
  of: ProcessId | AgentId,
  { server, tool }: ToolRef,
  args: string,
): string {
  return canonicalJson(["outcome", of, server, tool, args]);
}

export function questionBinding(asker: ExecutionId | AgentId, question: string): string {
  return canonicalJson(["question", asker, question]);
}
