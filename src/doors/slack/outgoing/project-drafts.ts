import type { DecidedDraft } from "../../../app/tasks/view-task.ts";
import { reasonIn } from "../../../contract/reason-texts.ts";
import type { Approval } from "../../../domain/approvals/approval.ts";
import type { ProcessDraft, PromptDraft, Step } from "../../../domain/tasks/draft.ts";
import { toolName } from "../../../domain/tasks/step-tool.ts";
import type { Task } from "../../../domain/tasks/task.ts";
import { decisionValue, taskValue } from "../button-values.ts";
import type {
  CardViews,
  DraftPendingView,
  DraftRegeneratingView,
  ProcessBody,
  PromptBody,
  StepLine,
} from "../cards/views.ts";
import { cardKey, desiredCard, type DesiredMessage, type Urgency } from "./desired-message.ts";
import { taskCardView, termsOf, type TaskProjection } from "./task-context.ts";

type Kind = "prompt" | "process";
type Body = PromptBody & ProcessBody;
type Shown = { readonly version: number; readonly body: Body; readonly approval: Approval };

/** The names of both cards differ only in their beginning. */
type State = keyof CardViews extends infer Name
  ? Name extends `prompt${infer Rest}`
    ? Rest
    : never
  : never;
type StateView<Each extends State> = CardViews[`prompt${Each}`] & CardViews[`process${Each}`];

const STAGES = {
  prompt: { drafting: "planning", stage: "planning", waits: "prompt_approval" },
  process: { drafting: "designing", stage: "design", waits: "process_approval" },
} as const;

/** A card per version. A rejected version keeps its card, so that everybody sees what was rejected. */
export function projectDrafts(projection: TaskProjection, kind: Kind): readonly DesiredMessage[] {
  const drafts = kind === "prompt" ? projection.view.prompts : projection.view.processes;
  return [
    ...drafts.map((draft, index) => draftCard(projection, kind, draft, drafts[index + 1])),
    ...nextDraft(projection, kind, (drafts.at(-1)?.draft.version ?? 0) + 1),
  ];
}

type Draft = DecidedDraft<PromptDraft | ProcessDraft>;

function draftCard(
  projection: TaskProjection,
  kind: Kind,
  { draft, approval }: Draft,
  next: Draft | undefined,
): DesiredMessage {
  const { version } = draft;
  const { card } = cardsOf(projection, kind, version);
  // The draft and its approval are stored together.
  if (!approval) return card("progress", "Generating", taskCardView(projection));
  const shown: Shown = { version, body: bodyOf(draft), approval };
  switch (approval.status) {
    case "pending":
      return card("person", "Pending", { ...shown.body, ...pendingView(projection, shown) });
    case "approved":
      return card("final", "Approved", {
        ...taskCardView(projection),
        ...shown.body,
        by: projection.context.person(approval.decidedBy),
        approvedAt: approval.decidedAt ?? approval.createdAt,
      });
    case "rejected":
      return rejectedCard(projection, kind, shown, next?.draft.version);
    case "expired":
      return expiredCard(projection, kind, shown);
    case "superseded":
    case "cancelled":
      return withdrawnCard(projection, kind, shown);
  }
}

function pendingView(projection: TaskProjection, { version, approval }: Shown): DraftPendingView {
  const { task } = projection.view;
  return {
    ...taskCardView(projection),
    ...termsOf(projection, approval),
    taskId: task.id,
    version,
    decisionValue: decisionValue(approval),
    cancelValue: taskValue(task.id),
  };
}

function rejectedCard(
  projection: TaskProjection,
  kind: Kind,
  shown: Shown,
  nextVersion: number | undefined,
): DesiredMessage {
  const { view, context } = projection;
  const { card } = cardsOf(projection, kind, shown.version);
  const rejection: DraftRegeneratingView = {
    ...taskCardView(projection),
    by: context.person(shown.approval.decidedBy),
    reason: shown.approval.reason ?? "",
  };
  if (nextVersion !== undefined) {
    return card("final", "Rejected", { ...shown.body, ...rejection, nextVersion });
  }
  if (hasFailed(view.task, kind)) {
    const failed = { nextVersion: shown.version + 1, isFailed: true };
    return card("final", "Rejected", { ...shown.body, ...rejection, ...failed });
  }
  if (view.task.status !== "cancelled") {
    return card("final", "Regenerating", { ...shown.body, ...rejection });
  }
  return view.task.regenerations > context.maxRegenerations
    ? card("final", "Cancelled", { ...taskCardView(projection), rejection })
    : withdrawnCard(projection, kind, shown);
}

function expiredCard(projection: TaskProjection, kind: Kind, shown: Shown): DesiredMessage {
  const { task } = projection.view;
  const { approval, body, version } = shown;
  if (task.status === "cancelled") return withdrawnCard(projection, kind, shown);
  const mayRetry = task.status === "failed" && task.failure?.stage === STAGES[kind].waits;
  return cardsOf(projection, kind, version).card("final", "Expired", {
    ...taskCardView(projection),
    ...body,
    taskId: task.id,
    version,
    expiredAt: approval.decidedAt ?? approval.expiresAt ?? approval.createdAt,
    ...(mayRetry && { retryValue: taskValue(task.id) }),
  });
}

function withdrawnCard(projection: TaskProjection, kind: Kind, shown: Shown): DesiredMessage {
  const { task } = projection.view;
  return cardsOf(projection, kind, shown.version).card("final", "Withdrawn", {
    ...taskCardView(projection),
    ...shown.body,
    by: projection.context.person(task.statusBy),
    withdrawnAt: shown.approval.decidedAt ?? task.updatedAt,
  });
}

/** The version that is being drafted, or could not be. */
function nextDraft(
  projection: TaskProjection,
  kind: Kind,
  version: number,
): readonly DesiredMessage[] {
  const { task } = projection.view;
  const { drafting } = STAGES[kind];
  const { key, card } = cardsOf(projection, kind, version);
  const shown = taskCardView(projection);
  if (task.status === drafting) return [card("progress", "Generating", shown)];
  if (hasFailed(task, kind)) {
    const error = reasonIn(task.failure?.message ?? "", projection.context.locale);
    const failedAt = task.endedAt ?? task.updatedAt;
    const retryValue = taskValue(task.id);
    return [card("final", "Failed", { ...shown, error, taskId: task.id, retryValue, failedAt })];
  }
  // The task was cancelled meanwhile: a card that says "generating" must not stay.
  const isLeft = task.status === "cancelled" && projection.context.known.has(key);
  return isLeft ? [card("final", "Cancelled", shown)] : [];
}

/** The newest version could not be drafted. */
function hasFailed({ status, failure }: Task, kind: Kind): boolean {
  return status === "failed" && failure?.stage === STAGES[kind].stage;
}

function cardsOf({ view }: TaskProjection, kind: Kind, version: number) {
  const key = cardKey(view.task.id, kind, version);
  return {
    key,
    card: <Each extends State>(urgency: Urgency, state: Each, shown: StateView<Each>) =>
      kind === "prompt"
        ? desiredCard(key, urgency, `prompt${state}`, shown)
        : desiredCard(key, urgency, `process${state}`, shown),
  };
}

function bodyOf(draft: PromptDraft | ProcessDraft): Body {
  return "steps" in draft
    ? { content: "", steps: draft.steps.map(stepLine) }
    : { content: draft.content, steps: [] };
}

export function stepLine(step: Step): StepLine {
  const { id, order, title, requiresHumanCheck } = step;
  return { id, order, title, tool: toolName(step), requiresHumanCheck };
}
