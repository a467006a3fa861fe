import type { Approval } from "../../../domain/approvals/approval.ts";
import { isRoleCall } from "../../../domain/gateway/role-call.ts";
import type { StepId } from "../../../domain/ids.ts";
import {
  endExecution,
  type FinalReport,
  type FinalVerdict,
} from "../../../domain/tasks/end-execution.ts";
import { isOver, type Execution, type StepStatus } from "../../../domain/tasks/execution.ts";
import { listAllApprovals } from "../../approvals/list-all-approvals.ts";
import { closeApprovals } from "../../approvals/request-approval.ts";
import type { Core } from "../../core.ts";
import { isReadOnlyTool } from "../../gateway/read-only-tool.ts";
import { endRoleCalls } from "../../gateway/role-calls/end-role-call.ts";
import { stopDescendants } from "../../groups/stop-group.ts";
import type { Queries, UnitOfWork } from "../../ports/store.ts";
import { moveTask } from "../move-task.ts";
import { saveExecution } from "./execution-event.ts";

const MAX_FAILURE_CHARS = 2_000;

/**
 * Ends the execution, its steps, its open approvals and its task in one transaction. If a person has
 * interrupted the task, the executor's report is kept and the task keeps its status.
 */
export async function settleExecution(
  core: Core,
  unit: UnitOfWork,
  execution: Execution,
  reported: FinalVerdict,
  report: FinalReport,
): Promise<Execution> {
  if (isOver(execution)) return execution;
  const { verdict, error } = await verify(unit, execution, reported);
  const ended = endExecution(
    execution,
    verdict,
    { ...report, error: error ?? report.error },
    await findUnanswered(core, unit, execution),
    core.clock.now(),
  );
  const settled = await saveExecution(core, unit, ended, execution);
  await endRoleCalls(core, unit, execution);
  await closeApprovals(core, unit, { executionId: execution.id }, "cancelled");
  await moveTaskAfter(core, unit, settled);
  return settled;
}

/**
 * Stops the agents that the execution has started; call it after the commit. Repeated when the
 * executor's process ends (after-agent-settled) and when the daemon starts (stop-orphaned-agents).
 */
export async function stopAgentsOf(
  core: Core,
  { taskId }: Pick<Execution, "taskId">,
): Promise<void> {
  try {
    const task = await core.store.getTask(taskId);
    if (task) await stopDescendants(core, task.groupId);
  } catch (error) {
    core.log.error("Stopping the agents of an ended execution failed.", {
      taskId,
      error: String(error),
    });
  }
  core.advanceSoon(taskId);
}

const UNDECIDED: readonly StepStatus[] = ["waiting_for_human", "outcome_unknown"];

type Verified = { readonly verdict: FinalVerdict; readonly error: string | null };

/** A person's rejection of a step overrules the executor's success. */
async function verify(
  unit: UnitOfWork,
  execution: Execution,
  reported: FinalVerdict,
): Promise<Verified> {
  if (execution.status === "stopping") {
    const isKept = reported === "success" || reported === "failure";
    return { verdict: isKept ? reported : (execution.stopFor ?? reported), error: null };
  }
  if (reported !== "success") return { verdict: reported, error: null };
  const rejection = await findFatalRejection(unit, execution);
  if (rejection) return { verdict: "failure", error: describeRejection(rejection) };
  const open = execution.steps.find(({ status }) => UNDECIDED.includes(status));
  return open
    ? { verdict: "failure", error: `${open.stepId} still waits for a person's decision.` }
    : { verdict: reported, error: null };
}

/** The rejection of a step by a person who did not choose to continue without it. */
export async function findFatalRejection(
  queries: Pick<Queries, "listApprovals">,
  { id, steps }: Execution,
): Promise<Approval | undefined> {
  const rejected = steps.filter(({ status }) => status === "rejected");
  if (rejected.length === 0) return undefined;
  const approvals = await listAllApprovals(queries, {
    executionId: id,
    kind: "step",
    statuses: ["rejected"],
  });
  return approvals.find(({ choice }) => choice?.onReject !== "skip");
}

export function describeRejection({ title, decidedBy, reason }: Approval): string {
  return `${decidedBy ?? "A person"} rejected "${title}"${reason === null ? "." : `: ${reason}`}`;
}

/** Steps with a call in flight: whether it takes effect is not known yet. */
async function findUnanswered(
  core: Core,
  unit: UnitOfWork,
  { id }: Execution,
): Promise<ReadonlySet<StepId>> {
  const calls = await unit.listToolCalls(id);
  return new Set(
    calls
      .filter((call) => call.status === "forwarded" && !isRoleCall(call))
      .filter((call) => !isReadOnlyTool(core, call))
      .flatMap(({ stepId }) => stepId ?? []),
  );
}

async function moveTaskAfter(core: Core, unit: UnitOfWork, execution: Execution): Promise<void> {
  const task = await unit.getTask(execution.taskId);
  // A person has blocked, cancelled or retried the task; keep the status they gave it.
  if (!task || task.executionId !== execution.id || task.status !== "in_progress") return;
  const { status, summary, error } = execution;
  if (status === "completed") {
    await moveTask(core, unit, task, "execution_completed");
  } else if (status === "blocked") {
    const changes = { statusBy: `agent:${execution.agentId}`, statusReason: summary };
    await moveTask(core, unit, task, "blocked", changes);
  } else {
    const message = (error ?? summary ?? "The execution failed.").slice(0, MAX_FAILURE_CHARS);
    const failure = { stage: "execution", message } as const;
    await moveTask(core, unit, task, "execution_failed", { failure });
  }
}
