import type { Approval, ApprovalKind } from "../../../domain/approvals/approval.ts";
import { AGENT_TOOL_INPUT } from "../../../domain/gateway/catalogue.ts";
import { roleCallName } from "../../../domain/gateway/role-call.ts";
import type { Step } from "../../../domain/tasks/draft.ts";
import { roleOfStep } from "../../../domain/tasks/draft.ts";
import type { ExecutionInput } from "../../../domain/tasks/drafting.ts";
import type { Execution } from "../../../domain/tasks/execution.ts";
import { executionInput, type CallableStep } from "../../../domain/tasks/executor-prompt.ts";
import type { Task } from "../../../domain/tasks/task.ts";
import { listAllApprovals } from "../../approvals/list-all-approvals.ts";
import type { Core } from "../../core.ts";
import { agentTools, type AgentTool } from "../../gateway/list-agent-tools.ts";
import { factsOf } from "../drafting/draft-input.ts";

const KINDS: readonly ApprovalKind[] = ["step", "unplanned_tool", "question", "outcome"];

/** The request, the approved drafts, and what all executions of the process have done so far. */
export async function executorInput(
  core: Core,
  task: Task,
  execution: Execution,
): Promise<ExecutionInput> {
  const { store } = core;
  const process = await store.getProcessDraft(execution.processId);
  const prompt = await store.getPromptDraft(process?.promptId ?? "");
  if (!process || !prompt) throw new Error(`The drafts of ${execution.id} are not in the store.`);
  const attempts = (await store.listExecutions(task.id)).filter(
    ({ processId }) => processId === process.id,
  );
  const ids = new Set<string>(attempts.map(({ id }) => id));
  const tools = await agentTools(core, "executor");
  return executionInput({
    locale: core.settings.locale,
    request: task.request,
    task: factsOf(task),
    prompt: prompt.content,
    attempt: execution.attempt,
    steps: process.steps.map((step) => callable(step, tools)),
    states: execution.steps,
    calls: (await store.listTaskToolCalls(task.id)).filter((call) => ids.has(call.executionId)),
    decided: await decidedOf(core, task, ids),
  });
}

function callable(step: Step, tools: readonly AgentTool[]): CallableStep {
  const role = roleOfStep(step);
  if (role !== undefined) {
    return { ...step, call: roleCallName(role), inputSchema: AGENT_TOOL_INPUT };
  }
  const found = tools.find(({ tool }) => tool.server === step.server && tool.name === step.tool);
  // If the tool is gone or quarantined, the refusal of the call says so.
  return {
    ...step,
    call: found?.call ?? `${step.server}__${step.tool}`,
    inputSchema: found?.tool.inputSchema ?? null,
  };
}

async function decidedOf(
  { store }: Core,
  task: Task,
  executions: ReadonlySet<string>,
): Promise<readonly Approval[]> {
  const approvals = await listAllApprovals(store, {
    taskId: task.id,
    statuses: ["approved", "rejected", "expired"],
  });
  return approvals
    .filter(
      ({ kind, executionId }) =>
        KINDS.includes(kind) && executionId !== null && executions.has(executionId),
    )
    .toReversed();
}
