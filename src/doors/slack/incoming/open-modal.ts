import { setTimeout as sleep } from "node:timers/promises";
import type { ModalView } from "@slack/types";
import { textOf } from "../../../base/narrow.ts";
import type { Approval, ApprovalKind } from "../../../domain/approvals/approval.ts";
import type { Locale } from "../../../domain/locale.ts";
import { readDecisionValue, readTaskValue } from "../button-values.ts";
import {
  answerModal,
  blockModal,
  callRejectionModal,
  mergeRejectionModal,
  rejectionModal,
} from "../cards/modals.ts";
import { refusalNotice } from "../cards/refusals.ts";
import type { Stranger } from "../people/slack-people.ts";
import type { SlackRequest } from "../receive/inbox.ts";
import { SlackCallFailed } from "../slack-api.ts";
import { answer } from "./answer.ts";
import { valueIn } from "./click.ts";
import type { Incoming } from "./context.ts";
import { sayOldButton } from "./decide.ts";
import { localeOf, placeOf, writeOrigin } from "./place.ts";
import { decidedView } from "./refusals.ts";

/** Slack's trigger is valid for three seconds, so the modal opens before a slow check is done. */
const CHECK_MS = 700;

type ModalParts = { readonly locale: Locale; readonly metadata: string };
type BuildModal = (parts: ModalParts, approval: Approval) => ModalView;

/** A click that asks for a reason or an answer before it decides. */
export async function openDecisionModal(
  incoming: Incoming,
  request: SlackRequest,
  kinds: readonly ApprovalKind[],
): Promise<void> {
  await request.ack.send();
  const value = readDecisionValue(valueIn(request));
  const approval = value && (await incoming.core.store.getApproval(value.approvalId));
  if (!approval || !kinds.includes(approval.kind)) return sayOldButton(incoming, request);
  const locale = await localeInTime(incoming, request);
  if (approval.status !== "pending") {
    const decided = await decidedView(incoming, { team: request.team, locale }, approval);
    return answer(incoming, request, refusalNotice(decided));
  }
  const view = BUILD[approval.kind](partsOf(request, locale), approval);
  await openModal(incoming, request, { ...view, external_id: externalId(request, approval.id) });
}

/** A click that asks why the task is blocked. */
export async function openBlockModal(incoming: Incoming, request: SlackRequest): Promise<void> {
  await request.ack.send();
  const value = readTaskValue(valueIn(request));
  const task = value && (await incoming.core.store.getTask(value.taskId));
  if (!task) return sayOldButton(incoming, request);
  const parts = partsOf(request, await localeInTime(incoming, request));
  const view = blockModal({ ...parts, title: task.title ?? task.request });
  await openModal(incoming, request, { ...view, external_id: externalId(request, task.id) });
}

const reject: BuildModal = (parts) => rejectionModal(parts);
const rejectCall: BuildModal = (parts, { kind, shown }) =>
  callRejectionModal({ ...parts, tool: textOf(shown["tool"]) ?? "", isStep: kind === "step" });
const rejectMerge: BuildModal = (parts, { shown }) =>
  mergeRejectionModal({ ...parts, target: textOf(shown["target"]) ?? "" });
const answerIt: BuildModal = (parts, { shown, choices }) =>
  answerModal({ ...parts, question: textOf(shown["question"]) ?? "", choices });

const BUILD: Readonly<Record<ApprovalKind, BuildModal>> = {
  prompt: reject,
  process: reject,
  step: rejectCall,
  unplanned_tool: rejectCall,
  call: rejectCall,
  question: answerIt,
  outcome: rejectCall,
  merge: rejectMerge,
};

function partsOf(request: SlackRequest, locale: Locale): ModalParts {
  const { channel, threadTs } = placeOf(request);
  return { locale, metadata: writeOrigin({ value: valueIn(request), channel, threadTs }) };
}

/** One open modal per person and subject. */
function externalId({ user }: SlackRequest, id: string): string {
  return `${id}:${user}`.slice(0, 255);
}

async function openModal(
  incoming: Incoming,
  request: SlackRequest,
  view: ModalView,
): Promise<void> {
  const stranger = await Promise.race([strangerIn(incoming, request), sleep(CHECK_MS)]);
  const say = async (reason: "clickAgain" | Stranger) => {
    const locale = await localeOf(incoming, request, placeOf(request));
    await answer(incoming, request, refusalNotice({ locale, reason }));
  };
  if (stranger) return say(stranger);
  const trigger_id = textOf(request.body["trigger_id"]) ?? "";
  const open = (shown: ModalView) =>
    incoming.api.call({
      team: request.team,
      method: "views.open",
      args: { trigger_id, view: shown },
      isUrgent: true,
    });
  const { external_id: _, ...plain } = view;
  try {
    await open(view).catch((error: unknown) => {
      if (codeOf(error) !== "duplicate_external_id") throw error;
      return open(plain);
    });
  } catch (error) {
    if (!(error instanceof SlackCallFailed)) throw error;
    // The trigger is used up or too old: only a new click brings another one.
    await say("clickAgain");
  }
}

/** Whether the sender may not act at all; what they may decide is checked when they submit. */
async function strangerIn({ people }: Incoming, request: SlackRequest) {
  const found = await people.find(request).catch(() => undefined);
  return found && "stranger" in found ? found.stranger : undefined;
}

async function localeInTime(incoming: Incoming, request: SlackRequest): Promise<Locale> {
  const inTime = await Promise.race([
    localeOf(incoming, request, placeOf(request)),
    sleep(CHECK_MS),
  ]);
  return inTime ?? incoming.core.settings.locale;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof SlackCallFailed ? error.code : undefined;
}
