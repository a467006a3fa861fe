import type { Agent } from "../../../domain/agents/agent.ts";
import { Refusal } from "../../../domain/refusal.ts";
import { carryOver } from "../../../domain/tasks/carry-over.ts";
import { renderDraftPrompt } from "../../../domain/tasks/drafting-prompt.ts";
import { applyToExecution, type Execution } from "../../../domain/tasks/execution.ts";
import type { Task } from "../../../domain/tasks/task.ts";
import { insertAgents } from "../../agents/insert-agents.ts";
import type { PlannedAgent } from "../../agents/plan-agent.ts";
import {
  agentPriorityOf,
  identityOf,
  planInternalAgent,
} from "../../agents/plan-internal-agent.ts";
import { moveOutcomes } from "../../approvals/outcome-approval.ts";
import type { Core } from "../../core.ts";
import type { Queries, UnitOfWork } from "../../ports/store.ts";
import { saveExecution } from "./execution-event.ts";
import { executorInput } from "./executor-input.ts";
import { settleExecution, stopAgentsOf } from "./settle-execution.ts";

/**
 * Starts the next executor of an execution that has none. Safe to call concurrently: the agent and
 * the row that names it are one transaction, and the row version decides which call wins.
 */
export async function startExecutor(core: Core, task: Task, seen: Execution): Promise<void> {
  const input = await executorInput(core, task, await withCurrentSteps(core.store, seen));
  const prompt = renderDraftPrompt(input);
  let planned: PlannedAgent;
  try {
    planned = await planInternalAgent(core, task, "executor", { prompt, timeoutMs: null });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return failToStart(core, task, seen, `${error.message} ${error.hint}`);
  }
  await insertExecutor(core, task, { seen, planned });
}

/** Reads the steps again: the previous execution may have continued after this one was queued. */
async function withCurrentSteps(
  queries: Pick<Queries, "getProcessDraft" | "listExecutions">,
  execution: Execution,
): Promise<Execution> {
  if (execution.status !== "queued") return execution;
  const process = await queries.getProcessDraft(execution.processId);
  const previous = (await queries.listExecutions(execution.taskId)).findLast(
    ({ processId, attempt }) => processId === execution.processId && attempt < execution.attempt,
  );
  return process ? { ...execution, steps: carryOver(process.steps, previous) } : execution;
}

type Starting = {
  readonly seen: Execution;
  readonly planned: PlannedAgent;
};

async function insertExecutor(core: Core, task: Task, starting: Starting): Promise<void> {
  const identity = await identityOf(core, task);
  const resumes = await lastExecutor(core, task);
  await core.store.transaction(async (unit) => {
    const group = await unit.getGroup(task.groupId);
    if (!group) throw new Error(`The group of ${task.id} is not in the store.`);
    if (!(await isUnchanged(unit, task, starting.seen))) return advanceAgain(core, unit, task);
    const placed = {
      ...starting.planned,
      slot: "orchestrator",
      stageIndex: null,
      held: false,
      taskId: task.id,
      executionId: starting.seen.id,
      priority: agentPriorityOf(task),
      resumes: resumes ?? null,
    } as const;
    const agents = await insertAgents(core, unit, identity, group, [placed]);
    const agentId = agents[0]?.id ?? null;
    const begun = begin(await withCurrentSteps(unit, starting.seen), core.clock.now());
    const agentIds = [...begun.agentIds, ...agents.map(({ id }) => id)];
    const execution = await saveExecution(
      core,
      unit,
      { ...begun, agentId, agentIds, namedStepId: null },
      starting.seen,
    );
    await moveOutcomes(unit, execution);
  });
}

/** False if the task was blocked or another executor was started concurrently. */
async function isUnchanged(unit: UnitOfWork, { id }: Task, seen: Execution): Promise<boolean> {
  const task = await unit.getTask(id);
  const execution = await unit.getExecution(seen.id);
  return task?.status === "in_progress" && execution?.version === seen.version;
}

/**
 * Advances from the new state: an answer that was stored concurrently changes the execution and
 * causes no job. Not if this pass began with a blocked task, because the next pass would begin with
 * the same, in a loop.
 */
function advanceAgain(core: Core, unit: UnitOfWork, { id, status }: Task): void {
  if (status === "in_progress") unit.afterCommit(() => core.advanceSoon(id));
}

function begin(execution: Execution, now: number): Execution {
  if (execution.status === "queued") {
    return applyToExecution(execution, "started", now, { startedAt: now });
  }
  return execution.status === "waiting_for_human"
    ? applyToExecution(execution, "human_decided", now)
    : execution;
}

/** The next executor continues its conversation, if the same CLI runs both. */
async function lastExecutor(
  { store }: Pick<Core, "store">,
  task: Task,
): Promise<Agent | undefined> {
  const executors = (await store.listExecutions(task.id)).flatMap(({ agentIds }) => agentIds);
  const last = executors.at(-1);
  return last === undefined ? undefined : store.getAgent(last);
}

/** Fails the task visibly, so that a person can retry it. */
async function failToStart(core: Core, task: Task, seen: Execution, error: string): Promise<void> {
  const report = { summary: null, response: null, error };
  await core.store.transaction(async (unit) => {
    if (!(await isUnchanged(unit, task, seen))) return advanceAgain(core, unit, task);
    const settled = await settleExecution(core, unit, seen, "failure", report);
    unit.afterCommit(() => stopAgentsOf(core, settled));
  });
}
