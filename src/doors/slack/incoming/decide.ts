import { decideApproval } from "../../../app/approvals/decide-approval.ts";
import { requireApproval } from "../../../app/approvals/require-approval.ts";
import { auditRefusals } from "../../../app/people/audit-refusals.ts";
import type { Approval, ApprovalKind } from "../../../domain/approvals/approval.ts";
import type { Decision } from "../../../domain/approvals/decide.ts";
import { Refusal } from "../../../domain/refusal.ts";
import { readDecisionValue, showsSame, type DecisionValue } from "../button-values.ts";
import { notice } from "../cards/answers.ts";
import { refusalNotice } from "../cards/refusals.ts";
import type { SlackRequest } from "../receive/inbox.ts";
import { actAsPerson, type Actor } from "./act.ts";
import { answer } from "./answer.ts";
import { valueIn } from "./click.ts";
import type { Incoming } from "./context.ts";
import { DOOR_TEXTS } from "./door-texts.ts";
import { localeOf, placeOf, type Place } from "./place.ts";
import { viaOf } from "./via.ts";

/** What a button decides, and about which kinds of approvals. */
export type Choice = Omit<Decision, "version"> & { readonly kinds: readonly ApprovalKind[] };

const CALLS = ["step", "unplanned_tool", "call"] as const;

export const APPROVE_PROMPT: Choice = { decision: "approve", kinds: ["prompt"] };
export const APPROVE_PROCESS: Choice = { decision: "approve", kinds: ["process"] };
export const APPROVE_CALL: Choice = { decision: "approve", kinds: CALLS };
export const APPROVE_MERGE: Choice = { decision: "approve", kinds: ["merge"] };
export const CALL_DONE: Choice = { decision: "approve", answer: "done", kinds: ["outcome"] };
export const REPEAT_CALL: Choice = { decision: "approve", answer: "repeat", kinds: ["outcome"] };
export const CALL_FAILED: Choice = { decision: "reject", kinds: ["outcome"] };

/** A click on a button that decides at once. */
export async function handleDecision(
  incoming: Incoming,
  request: SlackRequest,
  choice: Choice,
): Promise<void> {
  await request.ack.send();
  const value = readDecisionValue(valueIn(request));
  if (!value) return sayOldButton(incoming, request);
  const act = { action: "approval.refused", subject: value.approvalId, isAudited: true };
  await actAsPerson(incoming, request, { ...act, approvalId: value.approvalId }, (actor) =>
    decideAs(incoming, request, actor, value, choice),
  );
}

/**
 * Decides exactly what the card showed. The card changes because of the decision's event, so only a
 * vote of several is answered here.
 */
export async function decideAs(
  incoming: Incoming,
  request: SlackRequest,
  { identity, locale, place }: Actor,
  value: DecisionValue,
  { kinds, ...decision }: Choice,
): Promise<void> {
  const { core } = incoming;
  const approval = await requireApproval(core.store, value.approvalId);
  const attempt = {
    identity,
    subject: approval.id,
    ids: [approval.id],
    action: "approval.refused",
  };
  const data = { decision: decision.decision, version: value.version };
  await auditRefusals(core, { ...attempt, data }, () =>
    requireShown(incoming, request, place, approval, value, kinds),
  );
  if (request.isRepeated && isDecidedSo(approval, identity.person.id, decision)) return;
  const { approvalId, version } = value;
  const via = viaOf(request, place);
  const decided = await decideApproval(core, identity, { ...decision, approvalId, version, via });
  if (decided.status === "pending") {
    await answer(incoming, request, notice(DOOR_TEXTS[locale].voted), place);
  }
}

/** The button must be on a card about this approval, in the version that the card shows. */
async function requireShown(
  { core }: Incoming,
  { team }: SlackRequest,
  { channel, messageTs }: Place,
  approval: Approval,
  value: DecisionValue,
  kinds: readonly ApprovalKind[],
): Promise<void> {
  const isOnCard = channel !== undefined && messageTs !== undefined;
  const card = isOnCard ? await core.store.findSlackMessage(team, channel, messageTs) : undefined;
  const isOther = card?.taskId !== undefined && card.taskId !== approval.taskId;
  if (kinds.includes(approval.kind) && showsSame(value, approval) && !isOther) return;
  throw new Refusal("VERSION_CONFLICT", {
    en: [`The card does not show ${approval.id} as it is.`, "Decide on the newest card."],
    ja: [
      `カードの内容が ${approval.id} の今の状態と違います。`,
      "いちばん新しいカードで決定してください。",
    ],
  });
}

/** The daemon ended after it had stored this decision. */
function isDecidedSo(
  { votes }: Approval,
  by: string,
  { decision }: Pick<Decision, "decision">,
): boolean {
  return votes.some((vote) => vote.by === by && vote.decision === decision);
}

export async function sayOldButton(incoming: Incoming, request: SlackRequest): Promise<void> {
  const locale = await localeOf(incoming, request, placeOf(request));
  await answer(incoming, request, refusalNotice({ locale, reason: "oldButton" }));
}
