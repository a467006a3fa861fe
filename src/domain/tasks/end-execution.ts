import type { StepId } from "../ids.ts";
import {
  applyToExecution,
  applyToStep,
  isOver,
  type Execution,
  type ExecutionEvent,
  type Verdict,
  type ExecutionStatus,
  type StepEvent,
  type StepStatus,
} from "./execution.ts";

export type FinalVerdict = Exclude<Verdict, "waiting">;

export type FinalReport = Pick<Execution, "summary" | "response" | "error">;

const LAST: Readonly<Record<FinalVerdict, ExecutionEvent>> = {
  success: "succeeded",
  failure: "failed",
  blocked: "blocked",
  cancelled: "cancelled",
};

/** The events before the last one that the transition table requires. */
function eventsBefore(status: ExecutionStatus, verdict: FinalVerdict): readonly ExecutionEvent[] {
  const isFinished = verdict === "success" || verdict === "failure";
  if (status === "queued" && isFinished) return ["started"];
  if (status === "waiting_for_human" && isFinished) return ["human_decided"];
  if (status === "running" && !isFinished) return ["stop_requested"];
  return [];
}

/** `unanswered`: steps with a forwarded call that has no answer yet. */
export function endExecution(
  execution: Execution,
  verdict: FinalVerdict,
  report: FinalReport,
  unanswered: ReadonlySet<StepId>,
  now: number,
): Execution {
  if (isOver(execution)) return execution;
  const steps = execution.steps.reduce((changed, { stepId, status, mayRepeat }) => {
    if (mayRepeat && verdict === "success") return applyToStep(changed, stepId, "finished", now);
    // The executor was still in this step, so it may have needed more calls.
    const inStep = mayRepeat ? applyToStep(changed, stepId, "started", now) : changed;
    const event = lastOf(mayRepeat ? "running" : status, verdict, unanswered.has(stepId));
    const error = event === "failed" ? (report.error ?? report.summary) : null;
    return event ? applyToStep(inStep, stepId, event, now, { error }) : inStep;
  }, execution);
  const events = [...eventsBefore(execution.status, verdict), LAST[verdict]];
  return events.reduce((changed, event) => applyToExecution(changed, event, now, report), steps);
}

function lastOf(
  status: StepStatus,
  verdict: FinalVerdict,
  isUnanswered: boolean,
): StepEvent | undefined {
  if (status === "waiting_for_human") return "stopped";
  if (status !== "running") return undefined;
  if (isUnanswered) return "answer_lost";
  if (verdict === "success") return "finished";
  return verdict === "failure" ? "failed" : "stopped";
}
