import type { Approval } from "../../../domain/approvals/approval.ts";
import { isRoleCall } from "../../../domain/gateway/role-call.ts";
import type { StepId } from "../../../domain/ids.ts";
import { endExecution, type LastWord, type Verdict } from "../../../domain/tasks/end-execution.ts";
import { isOver, type Execution, type StepStatus } from "../../../domain/tasks/execution.ts";
import { closeApprovalsIn } from "../../approvals/request-approval.ts";
import type { Core } from "../../core.ts";
import { isReadOnlyTool } from "../../gateway/read-only-tool.ts";
import { endRoleCallsIn } from "../../gateway/role-calls/end-role-call.ts";
import { stopDescendants } from "../../groups/stop-group.ts";
import type { Queries, StoredEvent, UnitOfWork } from "../../ports/store.ts";
import { moveTaskIn } from "../move-task.ts";
import { updateExecutionIn } from "./execution-event.ts";

const PAGE_LIMIT = 500;
const MAX_FAILURE_CHARS = 2_000;

export type Settled = { readonly execution: Execution; readonly events: readonly StoredEvent[] };

/**
 * The attempt is over: its steps, its open questions and its task, together. While it is being
 * stopped the executor's word is kept and the task stays what the person made it.
 */
export async function settleExecutionIn(
  core: Core,
  unit: UnitOfWork,
  execution: Execution,
  said: Verdict,
  word: LastWord,
): Promise<Settled> {
  if (isOver(execution)) return { execution, events: [] };
  const { verdict, error } = await verifyIn(unit, execution, said);
  const settled = await updateExecutionIn(
    core,
    unit,
    endExecution(
      execution,
      verdict,
      { ...word, error: error ?? word.error },
      await unansweredIn(core, unit, execution),
      core.clock.now(),
    ),
    execution,
  );
  const children = await endRoleCallsIn(core, unit, execution);
  const closed = await closeApprovalsIn(core, unit, { executionId: execution.id }, "cancelled");
  const moved = await moveTaskAfterIn(core, unit, settled.execution);
  return {
    execution: settled.execution,
    events: [settled.event, ...children, ...closed, ...moved],
  };
}

/**
 * After the commit: nobody waits for the agents it had started. Tried again when the executor's
 * process ends (react-to-settled) and at a start of the daemon (stop-forsaken).
 */
export async function afterSettling(
  core: Core,
  { taskId }: Pick<Execution, "taskId">,
): Promise<void> {
  try {
    const task = await core.store.getTask(taskId);
    if (task) await stopDescendants(core, task.groupId);
  } catch (error) {
    core.log.error("Agents of an execution that is over could not be stopped yet.", {
      taskId,
      error: String(error),
    });
  }
  core.advanceSoon(taskId);
}

/** With one of these nobody can say that everything is done. */
const UNDECIDED: readonly StepStatus[] = ["waiting_for_human", "outcome_unknown"];

type Verified = { readonly verdict: Verdict; readonly error: string | null };

/** A person's no to a step is stronger than the executor's success. */
async function verifyIn(unit: UnitOfWork, execution: Execution, said: Verdict): Promise<Verified> {
  if (execution.status === "stopping") {
    const isWord = said === "success" || said === "failure";
    return { verdict: isWord ? said : (execution.stopFor ?? said), error: null };
  }
  if (said !== "success") return { verdict: said, error: null };
  const rejection = await findFatalRejection(unit, execution);
  if (rejection) return { verdict: "failure", error: describeRejection(rejection) };
  const open = execution.steps.find(({ status }) => UNDECIDED.includes(status));
  return open
    ? { verdict: "failure", error: `${open.stepId} still waits for a person's word.` }
    : { verdict: said, error: null };
}

/** A step a person refused without saying that the rest may go on. */
export async function findFatalRejection(
  queries: Pick<Queries, "listApprovals">,
  { id, steps }: Execution,
): Promise<Approval | undefined> {
  const rejected = steps.filter(({ status }) => status === "rejected");
  if (rejected.length === 0) return undefined;
  const { approvals } = await queries.listApprovals({
    executionId: id,
    kind: "step",
    statuses: ["rejected"],
    limit: PAGE_LIMIT,
  });
  return approvals.find(({ choice }) => choice?.onReject !== "skip");
}

export function describeRejection({ title, decidedBy, reason }: Approval): string {
  return `${decidedBy ?? "Somebody"} rejected "${title}"${reason === null ? "." : `: ${reason}`}`;
}

/** Steps whose call is under way: whether it takes effect is not known yet. */
async function unansweredIn(
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

async function moveTaskAfterIn(
  core: Core,
  unit: UnitOfWork,
  execution: Execution,
): Promise<StoredEvent[]> {
  const task = await unit.getTask(execution.taskId);
  // Blocked, cancelled or in its next attempt: that is a person's word.
  if (!task || task.executionId !== execution.id || task.status !== "in_progress") return [];
  const { status, summary, error } = execution;
  if (status === "completed") {
    return [(await moveTaskIn(core, unit, task, "execution_completed")).event];
  }
  if (status === "blocked") {
    const changes = { statusBy: `agent:${execution.agentId}`, statusReason: summary };
    return [(await moveTaskIn(core, unit, task, "blocked", changes)).event];
  }
  const message = (error ?? summary ?? "The execution failed.").slice(0, MAX_FAILURE_CHARS);
  const failure = { stage: "execution", message } as const;
  return [(await moveTaskIn(core, unit, task, "execution_failed", { failure })).event];
}
