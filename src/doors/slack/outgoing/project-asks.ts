import { fieldsOf, numberOf, textOf } from "../../../base/narrow.ts";
import { shownMerge } from "../../../contract/shown-merge.ts";
import type { Approval, ApprovalKind } from "../../../domain/approvals/approval.ts";
import { decisionValue } from "../button-values.ts";
import { areArgumentsCut } from "../cards/ask-card.ts";
import type { AskDecidedView, AskView } from "../cards/views.ts";
import { readableJson } from "../text/readable-json.ts";
import { cardKey, desiredCard, type DesiredMessage } from "./desired-message.ts";
import { approvalCardView, termsOf, type TaskProjection } from "./task-context.ts";

/** Messages of their own for checks, questions, lost calls and merges; prompts and processes have cards. */
export function projectAsks(projection: TaskProjection): readonly DesiredMessage[] {
  const { approvals, task } = projection.view;
  return approvals
    .toReversed()
    .filter(({ kind }) => kind !== "prompt" && kind !== "process")
    .flatMap((approval) => askMessages(projection, approval, task.id));
}

function askMessages(
  projection: TaskProjection,
  approval: Approval,
  taskId: string,
): readonly DesiredMessage[] {
  const { known } = projection.context;
  const key = cardKey(taskId, "ask", approval.id);
  // It was decided before anybody could see it here.
  if (approval.status !== "pending" && !known.has(key)) return [];
  const snippet = snippetOf(projection, approval, taskId);
  const ask = askView(projection, approval, snippet);
  if (ask === undefined) return [];
  const card =
    approval.status === "pending"
      ? desiredCard(key, "person", "askPending", ask)
      : desiredCard(key, "final", "askDecided", decidedView(projection, approval, ask));
  return snippet && (approval.status === "pending" || known.has(snippet.key))
    ? [snippet, card]
    : [card];
}

/** The exact arguments, if a card can show only their beginning. It comes before the card. */
function snippetOf(
  { context }: TaskProjection,
  { id, shown }: Approval,
  taskId: string,
): DesiredMessage | undefined {
  const content = argumentsOf(shown);
  if (shown["args"] === undefined || !areArgumentsCut(content)) return undefined;
  return {
    key: cardKey(taskId, "snippet", id),
    urgency: "person",
    content: {
      snippet: { filename: `${id}.json`, title: SNIPPET_TITLES[context.locale], content },
    },
  };
}

const SNIPPET_TITLES = { ja: "引数の全文", en: "All arguments" } as const;

function argumentsOf(shown: Approval["shown"]): string {
  return readableJson(shown["args"] ?? {});
}

/** Undefined for prompts and processes. */
function askView(
  projection: TaskProjection,
  approval: Approval,
  snippet: DesiredMessage | undefined,
): AskView | undefined {
  const { shown, kind, choices } = approval;
  const isUploaded = snippet !== undefined && !projection.context.known.get(snippet.key)?.isDead;
  const ask = {
    ...approvalCardView(projection, approval),
    ...termsOf(projection, approval),
    decisionValue: decisionValue(approval),
    agent: approval.agentId,
    taskId: approval.taskId,
  };
  const call = {
    ...ask,
    tool: textOf(shown["tool"]) ?? "",
    args: argumentsOf(shown),
    fullTextIn: isUploaded ? ("snippet" as const) : ("dashboard" as const),
  };
  if (kind === "question") {
    return { ...ask, kind, question: textOf(shown["question"]) ?? approval.title, choices };
  }
  if (kind === "merge") return { ...ask, kind, merge: shownMerge(shown) };
  if (kind === "outcome") {
    const forwardedAt = Date.parse(textOf(shown["forwardedAt"]) ?? "") || approval.createdAt;
    return { ...call, kind, error: textOf(shown["error"]) ?? null, forwardedAt };
  }
  return isCallKind(kind) ? { ...call, kind, step: stepOf(shown) } : undefined;
}

function isCallKind(kind: ApprovalKind): kind is "step" | "unplanned_tool" | "call" {
  return kind === "step" || kind === "unplanned_tool" || kind === "call";
}

function stepOf(shown: Approval["shown"]) {
  const { order, title } = fieldsOf(shown["step"]);
  const number = numberOf(order);
  return number === undefined ? null : { order: number, title: textOf(title) ?? "" };
}

const DECISIONS = {
  approved: "approved",
  rejected: "rejected",
  expired: "expired",
  cancelled: "cancelled",
  superseded: "cancelled",
} as const;

function decidedView(
  { context, view }: TaskProjection,
  approval: Approval,
  ask: AskView,
): AskDecidedView {
  const { status, decidedBy, decidedAt, reason, choice } = approval;
  return {
    locale: ask.locale,
    ask,
    decision: status === "pending" ? "cancelled" : DECISIONS[status],
    by: decidedBy === null ? null : context.person(decidedBy),
    decidedAt: decidedAt ?? view.task.endedAt ?? approval.createdAt,
    reason,
    answer: choice?.answer ?? null,
  };
}
