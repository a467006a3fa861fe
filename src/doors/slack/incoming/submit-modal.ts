import { fieldsOf, textOf, type Fields } from "../../../base/narrow.ts";
import type { ApprovalKind } from "../../../domain/approvals/approval.ts";
import type { Locale } from "../../../domain/locale.ts";
import { Refusal } from "../../../domain/refusal.ts";
import { readDecisionValue, readTaskValue } from "../button-values.ts";
import { INPUTS } from "../cards/action-ids.ts";
import { missingInputText } from "../cards/answers.ts";
import { decidedModal } from "../cards/modals.ts";
import { personView } from "../people/person-view.ts";
import type { SlackRequest } from "../receive/inbox.ts";
import { actAsPerson, type Actor } from "./act.ts";
import type { Incoming } from "./context.ts";
import { decideAs, sayOldButton, type Choice } from "./decide.ts";
import { setStatus } from "./interrupt.ts";
import { localeOf, placeOf, readOrigin } from "./place.ts";

type Input = (typeof INPUTS)[keyof typeof INPUTS];

const DRAFTS: readonly ApprovalKind[] = ["prompt", "process"];
/** Rejections whose reason may be left out. */
const REJECTED: readonly ApprovalKind[] = ["step", "unplanned_tool", "call", "outcome", "merge"];

/** The reason with which a person rejects a draft: the next draft follows it. */
export function submitRejection(incoming: Incoming, request: SlackRequest): Promise<void> {
  const reason = inputIn(request, INPUTS.rejectionReason).text;
  const choice: Choice = { decision: "reject", reason, kinds: DRAFTS };
  return submitDecision(incoming, request, choice, reason === "" ? INPUTS.rejectionReason : null);
}

export function submitCallRejection(incoming: Incoming, request: SlackRequest): Promise<void> {
  const reason = inputIn(request, INPUTS.callReason).text;
  const after = inputIn(request, INPUTS.onReject).option;
  return submitDecision(incoming, request, {
    decision: "reject",
    kinds: REJECTED,
    ...(reason !== "" && { reason }),
    ...(after === "skip" && { onReject: "skip" }),
  });
}

/** The answer is a text or, where there are choices, the index of one. */
export async function submitAnswer(incoming: Incoming, request: SlackRequest): Promise<void> {
  const { text, option } = inputIn(request, INPUTS.answer);
  const value = readDecisionValue(readOrigin(request.body).value);
  const approval = value && (await incoming.core.store.getApproval(value.approvalId));
  const chosen = option === "" ? text : (approval?.choices[Number(option)] ?? "");
  const choice: Choice = { decision: "approve", answer: chosen, kinds: ["question"] };
  await submitDecision(incoming, request, choice, chosen === "" ? INPUTS.answer : null);
}

export async function submitBlock(incoming: Incoming, request: SlackRequest): Promise<void> {
  const value = readTaskValue(readOrigin(request.body).value);
  if (!value) return sayOldButton(incoming, request);
  const reason = inputIn(request, INPUTS.blockReason).text;
  const { taskId } = value;
  const act = { action: "request.refused", subject: `task.blocked ${taskId}`, taskId };
  await actAsPerson(incoming, request, act, ({ identity }) =>
    setStatus(incoming, identity, value, {
      status: "blocked",
      ...(reason !== "" && { reason }),
    }),
  );
}

async function submitDecision(
  incoming: Incoming,
  request: SlackRequest,
  choice: Choice,
  missing: Input | null = null,
): Promise<void> {
  if (missing) return askAgain(incoming, request, missing);
  const value = readDecisionValue(readOrigin(request.body).value);
  if (!value) return sayOldButton(incoming, request);
  const { approvalId } = value;
  const act = { action: "approval.refused", subject: approvalId, approvalId, isAudited: true };
  await actAsPerson(incoming, request, act, async (actor) => {
    try {
      await decideAs(incoming, request, actor, value, choice);
    } catch (error) {
      if (!(await showDecided(incoming, request, actor, approvalId, error))) throw error;
    }
  });
}

/** The modal stays open and says what is missing. */
async function askAgain(
  incoming: Incoming,
  request: SlackRequest,
  { block }: Input,
): Promise<void> {
  const locale = await localeOf(incoming, request, placeOf(request));
  const kind = block === INPUTS.answer.block ? "answer" : "reason";
  const errors = { [block]: missingInputText(locale, kind) };
  await request.ack.send({ response_action: "errors", errors });
}

/** Replaces the open modal with the decision that came first. False: the modal is closed already. */
async function showDecided(
  incoming: Incoming,
  request: SlackRequest,
  { locale }: Actor,
  approvalId: string,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof Refusal) || error.code !== "APPROVAL_ALREADY_DECIDED") return false;
  const view = await decidedModalOf(incoming, request.team, approvalId, locale);
  if (!view || !request.ack.isOpen()) return false;
  await request.ack.send({ response_action: "update", view });
  return true;
}

async function decidedModalOf(
  incoming: Incoming,
  team: string,
  approvalId: string,
  locale: Locale,
) {
  const approval = await incoming.core.store.getApproval(approvalId);
  const { status: decision, decidedBy, decidedAt } = approval ?? {};
  if (decision !== "approved" && decision !== "rejected") return undefined;
  if (!approval || !decidedBy || !decidedAt) return undefined;
  const by = await personView(incoming, team, decidedBy);
  const { version, taskId } = approval;
  return decidedModal({ locale, decision, by, decidedAt, version, taskId: taskId ?? approval.id });
}

/** What the person entered; an option has the value that we gave it. */
function inputIn({ body }: SlackRequest, { block, input }: Input) {
  const values = fieldsOf(fieldsOf(fieldsOf(body["view"])["state"])["values"]);
  const entered: Fields = fieldsOf(fieldsOf(values[block])[input]);
  return {
    text: (textOf(entered["value"]) ?? "").trim(),
    option: textOf(fieldsOf(entered["selected_option"])["value"]) ?? "",
  };
}
