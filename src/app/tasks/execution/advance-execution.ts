import { isSettled, type Agent } from "../../../domain/agents/agent.ts";
import type { FinalReport, FinalVerdict } from "../../../domain/tasks/end-execution.ts";
import { isOver, type Execution } from "../../../domain/tasks/execution.ts";
import type { Task } from "../../../domain/tasks/task.ts";
import { listAllApprovals } from "../../approvals/list-all-approvals.ts";
import type { Core } from "../../core.ts";
import { endDoneRoleCalls } from "../../gateway/role-calls/end-role-call.ts";
import type { UnitOfWork } from "../../ports/store.ts";
import { saveExecution } from "./execution-event.ts";
import {
  describeRejection,
  findFatalRejection,
  settleExecution,
  stopAgentsOf,
} from "./settle-execution.ts";
import { startExecutor } from "./start-executor.ts";
import { watchParked } from "./watch-parked.ts";

/**
 * Does what is next for the task's earliest execution that is not over. Safe to call concurrently:
 * the row version decides which call wins.
 */
export async function advanceExecution(core: Core, task: Task): Promise<void> {
  const executions = await core.store.listExecutions(task.id);
  const current = executions.find((execution) => !isOver(execution));
  if (!current) return;
  await endDoneRoleCalls(core, current);
  const executors = await executorsOf(core, executions);
  const live = executors.filter((agent) => !isSettled(agent));
  if (live.length > 0) return watchLive(core, current, live);

  // Read after the executors: it includes what they reported before they ended.
  const execution = await core.store.getExecution(current.id);
  if (!execution || isOver(execution)) return core.advanceSoon(task.id);
  // Another server has started an executor meanwhile, which is not among those that have ended.
  if (execution.agentIds.length > current.agentIds.length) return core.advanceSoon(task.id);
  switch (execution.status) {
    case "queued":
      if (task.status !== "in_progress" || (await hasEarlierAgents(core, execution))) return;
      return startExecutor(core, task, execution);
    case "stopping":
      return settle(
        core,
        execution,
        execution.stopFor ?? "blocked",
        await reportAtEnd(core, execution),
      );
    case "running":
      if (execution.agentId === null) return continueAfterDecisions(core, task, execution);
      return (await hasUnusedDecision(core, execution))
        ? parkAndAdvance(core, execution)
        : settle(core, execution, "failure", await reportAtEnd(core, execution));
    case "waiting_for_human":
      return (await hasPendingApproval(core, execution))
        ? park(core, execution)
        : continueAfterDecisions(core, task, execution);
    case "completed":
    case "failed":
    case "blocked":
    case "cancelled":
      return undefined;
  }
}

/** Includes earlier executions: an executor may still run in the directory after its report. */
async function executorsOf(
  { store }: Pick<Core, "store">,
  executions: readonly Execution[],
): Promise<readonly Agent[]> {
  return store.getAgents(executions.flatMap(({ agentIds }) => agentIds));
}

/** Agents that an earlier attempt started may still be ending, in the same directory. */
async function hasEarlierAgents({ store }: Core, { id, taskId }: Execution): Promise<boolean> {
  const agents = await store.listUnsettledTaskAgents(taskId);
  return agents.some(({ executionId }) => executionId !== null && executionId !== id);
}

/** Sets the timer of a parked executor, which is lost in a restart of the daemon. */
function watchLive(core: Core, { agentId, agentIds }: Execution, live: readonly Agent[]): void {
  const last = live.find(({ id }) => id === agentIds.at(-1));
  if (agentId === null && last) watchParked(core, last.id);
}

async function hasPendingApproval(
  { store }: Pick<Core, "store">,
  { id }: Execution,
): Promise<boolean> {
  const query = { executionId: id, statuses: ["pending"], limit: 1 } as const;
  return (await store.listApprovals(query)).approvals.length > 0;
}

/**
 * Whether a person has decided, but the last executor ended before it could use the decision. The
 * next executor uses it. Each further executor needs a new decision, so this cannot loop.
 */
async function hasUnusedDecision(
  { store }: Pick<Core, "store">,
  execution: Execution,
): Promise<boolean> {
  const last = await store.getAgent(execution.agentIds.at(-1) ?? "");
  const approvals = await listAllApprovals(store, {
    executionId: execution.id,
    statuses: ["approved"],
  });
  return approvals.some(
    ({ usedAt, decidedAt }) =>
      usedAt === null && decidedAt !== null && last && decidedAt >= last.createdAt,
  );
}

async function parkAndAdvance(core: Core, execution: Execution): Promise<void> {
  await park(core, execution);
  core.advanceSoon(execution.taskId);
}

/** The execution has no executor, and all its approvals are decided. */
async function continueAfterDecisions(core: Core, task: Task, execution: Execution): Promise<void> {
  const rejection = await findFatalRejection(core.store, execution);
  if (!rejection) return startExecutor(core, task, execution);
  const error = describeRejection(rejection);
  return settle(core, execution, "failure", { summary: null, response: null, error });
}

/** The executor has ended and an approval is pending: the execution needs no agent until then. */
async function park(core: Core, seen: Execution): Promise<void> {
  if (seen.agentId === null) return;
  await core.store.transaction(async (unit) => {
    const execution = await unit.getExecution(seen.id);
    if (execution?.version !== seen.version) return advanceAgain(core, unit, seen);
    await saveExecution(core, unit, { ...execution, agentId: null }, execution);
  });
}

/** The execution was changed concurrently; advance from its new state. */
function advanceAgain(core: Core, unit: UnitOfWork, { taskId }: Execution): void {
  unit.afterCommit(() => core.advanceSoon(taskId));
}

async function settle(
  core: Core,
  seen: Execution,
  verdict: FinalVerdict,
  report: FinalReport,
): Promise<void> {
  await core.store.transaction(async (unit) => {
    const execution = await unit.getExecution(seen.id);
    if (execution?.version !== seen.version) return advanceAgain(core, unit, seen);
    const settled = await settleExecution(core, unit, execution, verdict, report);
    unit.afterCommit(() => stopAgentsOf(core, settled));
  });
}

/** Stands in for the report of an executor that ended without one. */
async function reportAtEnd(
  { store }: Pick<Core, "store">,
  { agentIds, status }: Execution,
): Promise<FinalReport> {
  const last = agentIds.at(-1);
  const result = last === undefined ? undefined : await store.getResult(last);
  const summary = result?.summary || null;
  if (status === "stopping")
    return { summary, response: null, error: result?.errorMessage ?? null };
  const why = result?.errorMessage ?? "it gave no reason";
  return {
    summary,
    response: result?.response || null,
    error: `The executor ended without report_completed: ${why}`,
  };
}
