import { canonicalJson } from "./canonical.ts";
import type { ToolRef } from "./draft.ts";
import type { AgentId, ExecutionId, ProcessId, StepId } from "./ids.ts";

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

/**
 * What the question about a lost answer is bound to: over all attempts at a process, because the
 * call may have taken effect whoever made it.
 */
export function outcomeBinding(
  processId: ProcessId,
  { server, tool }: ToolRef,
  args: string,
): string {
  return canonicalJson(["outcome", processId, server, tool, args]);
}

export function questionBinding(asker: ExecutionId | AgentId, question: string): string {
  return canonicalJson(["question", asker, question]);
}
