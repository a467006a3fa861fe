import { isSettled } from "../../../domain/agents/agent.ts";
import type { AgentResult } from "../../../domain/agents/result.ts";
import { isRoleCall } from "../../../domain/gateway/role-call.ts";
import {
  nextToolCallStatus,
  type ToolCall,
  type ToolCallEvent,
} from "../../../domain/gateway/tool-call.ts";
import type { Execution } from "../../../domain/tasks/execution.ts";
import { answerStep, recordInStep, stateOf } from "../../../domain/tasks/step-progress.ts";
import type { Core } from "../../core.ts";
import type { UnitOfWork } from "../../ports/store.ts";
import { emitToolCall, saveExecution } from "../../tasks/execution/execution-event.ts";
import { hasOtherCalls } from "../record-answer.ts";

const MAX_KEPT_CHARS = 1_000_000;

/** The agent of a role call has ended: its result answers the call and ends the step. */
export async function endRoleCall(
  core: Core,
  unit: UnitOfWork,
  call: ToolCall,
  result: AgentResult,
): Promise<void> {
  const execution = await unit.getExecution(call.executionId);
  if (call.status !== "forwarded" || !execution) return;
  const now = core.clock.now();
  const event = eventOf(result);
  await writeEnd(core, unit, call, event, result);
  const step = call.stepId === null ? undefined : stateOf(execution, call.stepId);
  if (step?.status !== "running") return;
  const isAnswered = event === "answered" && !(await hasOtherCalls(unit, call));
  const next = isAnswered
    ? answerStep(execution, step.stepId, now)
    : event === "failed"
      ? recordInStep(execution, step.stepId, "failed", now, result.errorMessage)
      : execution;
  if (next !== execution) await saveExecution(core, unit, next, execution);
}

/** The execution is over, so its open role calls are cancelled. */
export async function endRoleCalls(
  core: Core,
  unit: UnitOfWork,
  execution: Execution,
): Promise<void> {
  for (const call of await unit.listToolCalls(execution.id)) {
    if (!isRoleCall(call) || call.status !== "forwarded") continue;
    await writeEnd(core, unit, call, "cancelled", undefined);
  }
}

/** Ends the calls of agents that succeeded while no executor waited for them. */
export async function endDoneRoleCalls(core: Core, execution: Execution): Promise<void> {
  for (const call of await core.store.listToolCalls(execution.id)) {
    if (!isRoleCall(call) || call.status !== "forwarded") continue;
    const agent = await core.store.getAgent(call.agentId);
    const result = agent && isSettled(agent) ? await core.store.getResult(agent.id) : undefined;
    // A failure is stored when the executor gets it; after that the same call starts a new agent.
    if (result?.status !== "success") continue;
    await core.store.transaction(async (unit) => {
      const fresh = await unit.getToolCall(call.id);
      if (fresh) await endRoleCall(core, unit, fresh, result);
    });
  }
}

/** "waiting" cancels the call, so that the same call starts the next agent. */
function eventOf({
  status,
  outcome,
}: AgentResult): Extract<ToolCallEvent, "answered" | "failed" | "cancelled"> {
  if (outcome === "waiting") return "cancelled";
  return status === "success" ? "answered" : "failed";
}

async function writeEnd(
  core: Core,
  unit: UnitOfWork,
  call: ToolCall,
  event: ToolCallEvent,
  result: AgentResult | undefined,
): Promise<void> {
  const answer = result ? answerOf(result) : null;
  const ended = await unit.updateToolCall(
    {
      ...call,
      status: nextToolCallStatus(call.status, event),
      answer: answer !== null && answer.length <= MAX_KEPT_CHARS ? answer : null,
      error: result?.errorMessage ?? null,
      endedAt: core.clock.now(),
    },
    call,
  );
  await emitToolCall(core, unit, ended);
}

/** In the shape of an upstream answer. */
function answerOf(result: AgentResult): string {
  const { agentId, status, summary, response, editedFiles, createdFiles, errorMessage } = result;
  const structuredContent = {
    agentId,
    status,
    summary,
    response,
    editedFiles,
    createdFiles,
    errorMessage,
  };
  return JSON.stringify({ content: [], structuredContent, isError: status !== "success" });
}
