import type { ExecutionView } from "../../../app/tasks/view-task.ts";
import { reasonIn } from "../../../contract/reason-texts.ts";
import { taskValue } from "../button-values.ts";
import type { CardView, StepProgress } from "../cards/views.ts";
import { cardKey, desiredCard, type DesiredMessage } from "./desired-message.ts";
import { stepLine } from "./project-drafts.ts";
import { taskCardView, type TaskProjection } from "./task-context.ts";

type Shown = CardView & { readonly steps: readonly StepProgress[] };

/** One card for all attempts: a retry is a new state of it. */
export function projectExecution(projection: TaskProjection): readonly DesiredMessage[] {
  const newest = projection.view.executions.at(-1);
  return newest ? [executionCard(projection, newest)] : [];
}

function executionCard(projection: TaskProjection, newest: ExecutionView): DesiredMessage {
  const { task } = projection.view;
  const key = cardKey(task.id, "execution", 1);
  const shown: Shown = {
    ...taskCardView(projection),
    steps: newest.steps.map((step) => ({ ...stepLine(step), status: step.status })),
  };
  if (newest.execution.status === "stopping") {
    return desiredCard(key, "final", "executionStopping", {
      ...shown,
      stopFor: newest.execution.stopFor ?? "blocked",
      by: projection.context.person(task.statusBy),
      reason: task.statusReason,
      requestedAt: task.updatedAt,
    });
  }
  return endedCard(projection, newest, key, shown) ?? openCard(projection, newest, key, shown);
}

/** Undefined while the task is in progress. */
function endedCard(
  { context, view }: TaskProjection,
  { execution, elapsedMs }: ExecutionView,
  key: string,
  shown: Shown,
): DesiredMessage | undefined {
  const { task } = view;
  const value = taskValue(task.id, execution.id);
  const by = context.person(task.statusBy);
  const endedAt = execution.endedAt ?? task.endedAt ?? task.updatedAt;
  if (task.status === "blocked") {
    return desiredCard(key, "final", "executionBlocked", {
      ...shown,
      by,
      reason: task.statusReason,
      blockedAt: task.updatedAt,
      unblockValue: value,
      cancelValue: value,
    });
  }
  if (task.status === "cancelled") {
    return desiredCard(key, "final", "executionCancelled", { ...shown, by, cancelledAt: endedAt });
  }
  if (task.status === "completed") {
    const summary = execution.summary ?? execution.response ?? "";
    const completed = { ...shown, summary, elapsedMs, completedAt: endedAt };
    return desiredCard(key, "final", "executionCompleted", completed);
  }
  if (task.status === "failed") {
    const stored = task.failure?.message ?? execution.error ?? execution.summary ?? "";
    const error = reasonIn(stored, context.locale);
    const failed = { ...shown, error, elapsedMs, failedAt: endedAt, retryValue: value };
    return desiredCard(key, "final", "executionFailed", failed);
  }
  return undefined;
}

function openCard(
  { view }: TaskProjection,
  { execution }: ExecutionView,
  key: string,
  shown: Shown,
): DesiredMessage {
  const value = taskValue(view.task.id, execution.id);
  const running = { ...shown, cancelValue: value, blockValue: value };
  const isWaiting = view.approvals.some(
    ({ status, executionId }) => status === "pending" && executionId === execution.id,
  );
  // What people are asked has messages of its own: Slack sends no notification for a changed message.
  return isWaiting
    ? desiredCard(key, "progress", "executionWaiting", { ...running, asks: [] })
    : desiredCard(key, "progress", "executionRunning", running);
}
