import type { AgentId, ExecutionId, ProcessId, StepId } from "../ids.ts";
import type { ToolRef } from "../tasks/draft.ts";
import { canonicalJson } from "../text/canonical.ts";

type Args = Readonly<Record<string, unknown>>;

/** The text that binds an approval to a call; its hash finds the approval again. */
export function callBinding(
  executionId: ExecutionId,
  stepId: StepId | null,
  { server, tool }: ToolRef,
  args: Args,
): string {
  return canonicalJson([executionId, stepId, server, tool, args]);
}

/** The same for an agent without an execution: the approval is valid for this agent only. */
export function agentCallBinding(agentId: AgentId, { server, tool }: ToolRef, args: Args): string {
  return canonicalJson(["call", agentId, server, tool, args]);
}

/**
 * Binds the question about a lost answer to all attempts at a process, because the call may have
 * taken effect in any of them. Outside a task: to the agent.
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
