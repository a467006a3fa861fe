import type { Approval } from "../../domain/approvals/approval.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { ToolRef } from "../../domain/tasks/draft.ts";
import type { Execution } from "../../domain/tasks/execution.ts";
import { toolName } from "../../domain/tasks/step-tool.ts";

/** Refusals of calls; the hint tells the agent what to do next. */

export function approvalPending({ id, kind }: Approval): Refusal {
  if (kind === "outcome") return outcomeUnknown(`A person is being asked (${id}).`);
  return new Refusal(
    "APPROVAL_PENDING",
    `A person has not decided yet (${id}).`,
    "Call again with exactly the same arguments.",
  );
}

export function outcomeUnknown(why: string): Refusal {
  return new Refusal(
    "OUTCOME_UNKNOWN",
    `This call was made and its answer was lost; whether it took effect is not known. ${why}`,
    "Do not do it in another way. Call again with exactly the same arguments to wait for the person's answer.",
  );
}

/** No person is asked about this call, so the agent must find out itself. */
export function outcomeNotAsked(why: string): Refusal {
  return new Refusal(
    "OUTCOME_UNKNOWN",
    `This call was made and its answer was lost; whether it took effect is not known. ${why}`,
    "Find out with another tool whether it took effect before you call it again, or say so in your report.",
  );
}

export function parked({ id }: Approval): Refusal {
  return new Refusal(
    "PARKED",
    `A person has not decided yet (${id}), and this may take long.`,
    'Call report_completed with result "waiting" and end. The decision starts the next agent, which goes on from here.',
  );
}

export function approvalExpired({ id, executionId }: Approval): Refusal {
  return new Refusal(
    "APPROVAL_EXPIRED",
    `No person decided in time (${id}).`,
    executionId === null
      ? "Do not do it. If you cannot go on without it, say so in your report."
      : 'Do not do it. If you cannot go on without it, call report_completed with result "failure" and say so.',
  );
}

export function stepRejected({ title, decidedBy, reason, choice }: Approval): Refusal {
  return new Refusal(
    "STEP_REJECTED",
    `${decidedBy ?? "A person"} rejected "${title}"${reason === null ? "." : `: ${reason}`}`,
    choice?.onReject === "skip"
      ? "Go on without this step（このステップなしで続ける）."
      : 'Do not do it in another way. Call report_completed with result "failure" and this reason.',
  );
}

/** An agent outside a task has no step and reports with report_result. */
export function callRejected({ title, decidedBy, reason }: Approval): Refusal {
  return new Refusal(
    "STEP_REJECTED",
    `${decidedBy ?? "A person"} rejected "${title}"${reason === null ? "." : `: ${reason}`}`,
    "Do not do it in another way. Go on without it, or say in your report that you could not.",
  );
}

/** Without this limit one agent could bury all other approvals. */
export function tooManyOpen(what: string, most: number): Refusal {
  return new Refusal(
    "TOO_MANY_OPEN",
    `You have ${most} ${what} open; a person has to decide them first.`,
    "Call again with the arguments of one that is open to wait for it; ask for more when it is decided.",
  );
}

/** A step that a person rejected for all arguments. */
export function stepClosed(stepId: string, reason: string | null): Refusal {
  return new Refusal(
    "STEP_REJECTED",
    `A person rejected ${stepId}${reason === null ? "." : `: ${reason}`}`,
    "Do not do it in another way, and continue only as the rejection allowed.",
  );
}

export function notInProcess(ref: ToolRef, rejection?: Approval): Refusal {
  const { decidedBy, reason } = rejection ?? {};
  const no = rejection
    ? `, and ${decidedBy ?? "a person"} refused it${reason ? `: ${reason}` : ""}`
    : "";
  return new Refusal(
    "TOOL_NOT_IN_PROCESS",
    `${toolName(ref)} is in no approved step that is left${no}.`,
    "Go on with the tools of the steps; name the step you work on with report_progress.",
  );
}

export function executionOver({ id, status }: Execution): Refusal {
  return new Refusal(
    "NOT_IN_AN_EXECUTION",
    `Execution ${id} is over (${status}); nothing more is done for it.`,
    "End now; call report_completed once if you have not.",
  );
}

export function executionStopping({ id, stopFor }: Execution): Refusal {
  return new Refusal(
    "STOP_REQUESTED",
    `Execution ${id} is being stopped; nothing more may be begun for it.`,
    `Call get_notifications, then report_completed with result "${stopFor ?? "blocked"}".`,
  );
}

export function notInAnExecution(): Refusal {
  return new Refusal(
    "NOT_IN_AN_EXECUTION",
    "You do not work on the execution of a task.",
    "Do what you were asked to do and finish with report_result.",
  );
}
