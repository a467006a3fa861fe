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

/** What happens first, so that the end is lawful. */
function roadTo(status: ExecutionStatus, verdict: FinalVerdict): readonly ExecutionEvent[] {
  const isWord = verdict === "success" || verdict === "failure";
  if (status === "queued" && isWord) return ["started"];
  if (status === "waiting_for_human" && isWord) return ["human_decided"];
  if (status === "running" && !isWord) return ["stop_requested"];
  return [];
}

/** `unanswered`: steps with a call under way whose answer is still to come, if it ever does. */
export function endExecution(
  execution: Execution,
  verdict: FinalVerdict,
  word: FinalReport,
  unanswered: ReadonlySet<StepId>,
  now: number,
): Execution {
  if (isOver(execution)) return execution;
  const steps = execution.steps.reduce((changed, { stepId, status, mayRepeat }) => {
    if (mayRepeat && verdict === "success") return applyToStep(changed, stepId, "finished", now);
    // The executor did not get beyond this step: whether it needed more calls is not known.
    const inStep = mayRepeat ? applyToStep(changed, stepId, "started", now) : changed;
    const event = lastOf(mayRepeat ? "running" : status, verdict, unanswered.has(stepId));
    const error = event === "failed" ? (word.error ?? word.summary) : null;
    return event ? applyToStep(inStep, stepId, event, now, { error }) : inStep;
  }, execution);
  const events = [...roadTo(execution.status, verdict), LAST[verdict]];
  return events.reduce((changed, event) => applyToExecution(changed, event, now, word), steps);
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
