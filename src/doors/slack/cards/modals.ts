import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from "@slack/types";
import { MAX_REASON_CHARS } from "../../../app/tasks/change-task-status.ts";
import { codeSpan } from "../text/code.ts";
import { dateText } from "../text/date.ts";
import { markdown } from "../text/markdown.ts";
import { mention, type PersonView } from "../text/mention.ts";
import { INPUTS, MODALS } from "./action-ids.ts";
import { fields, plain, section } from "./blocks.ts";
import { bold } from "./lines.ts";
import { MODAL_TEXTS } from "./texts/modal-texts.ts";
import type { CardView } from "./views.ts";

/** Slack's limit for titles and buttons of modals. */
const MAX_TITLE = 24;
const MAX_LABEL = 2_000;
const MAX_PLACEHOLDER = 150;
const MAX_NAME = 120;
const MAX_QUESTION = 2_500;
/** Slack's limits of a list of options. */
const MAX_OPTIONS = 100;
const MAX_OPTION = 75;
const MAX_RADIO_BUTTONS = 10;

type View = Pick<CardView, "locale"> & {
  /** Opaque routing data for the submission: at most 3,000 characters, never trusted alone. */
  readonly metadata: string;
};

export function rejectionModal({ locale, metadata }: View): ModalView {
  const texts = MODAL_TEXTS[locale].rejectDraft;
  return modal({ locale, metadata }, MODALS.rejectDraft, texts, [
    section(texts.intro),
    textInput(INPUTS.rejectionReason, texts),
  ]);
}

/** The rejection of a call; only a call of a step can be skipped. */
export function callRejectionModal(
  view: View & { readonly tool: string; readonly isStep: boolean },
): ModalView {
  const texts = MODAL_TEXTS[view.locale].rejectCall;
  return modal(view, MODALS.rejectCall, texts, [
    section(texts.intro(codeSpan(view.tool, MAX_NAME))),
    { ...textInput(INPUTS.callReason, texts), optional: true },
    ...(view.isStep ? [afterRejection(texts)] : []),
  ]);
}

/** The change stays open: it can be sent back, merged later or discarded. */
export function mergeRejectionModal(view: View & { readonly target: string }): ModalView {
  const texts = MODAL_TEXTS[view.locale].rejectMerge;
  return modal(view, MODALS.rejectCall, texts, [
    section(texts.intro(codeSpan(view.target, MAX_NAME))),
    { ...textInput(INPUTS.callReason, texts), optional: true },
  ]);
}

export function answerModal(
  view: View & { readonly question: string; readonly choices: readonly string[] },
): ModalView {
  const texts = MODAL_TEXTS[view.locale].answer;
  const input =
    view.choices.length === 0
      ? textInput(INPUTS.answer, texts)
      : choiceInput(texts.label, view.choices);
  return modal(view, MODALS.answer, texts, [section(markdown(view.question, MAX_QUESTION)), input]);
}

export function blockModal(view: View & { readonly title: string }): ModalView {
  return interruptModal(view, MODALS.block, INPUTS.blockReason, MODAL_TEXTS[view.locale].block);
}

export function cancelModal(view: View & { readonly title: string }): ModalView {
  return interruptModal(view, MODALS.cancel, INPUTS.cancelReason, MODAL_TEXTS[view.locale].cancel);
}

/** Replaces a modal whose approval was decided while it was open. */
export function decidedModal(view: {
  readonly locale: CardView["locale"];
  readonly decision: "approved" | "rejected";
  readonly by: PersonView;
  readonly decidedAt: number;
  readonly version: number;
  readonly taskId: string;
}): ModalView {
  const { decided, closeOnly } = MODAL_TEXTS[view.locale];
  const who = view.decision === "approved" ? decided.approvedBy : decided.rejectedBy;
  return {
    type: "modal",
    callback_id: MODALS.outcome,
    title: plain(decided.title, MAX_TITLE),
    close: plain(closeOnly, MAX_TITLE),
    blocks: [
      section(decided[view.decision]),
      fields(
        `*${who}*\n${mention(view.by)}`,
        `*${decided.at}*\n${dateText(view.decidedAt)}`,
        `*${decided.version}*\nv${view.version}`,
        `*${decided.taskId}*\n${codeSpan(view.taskId, MAX_NAME)}`,
      ),
    ],
  };
}

type Words = { readonly title: string; readonly submit: string };

function modal(
  { locale, metadata }: View,
  callbackId: string,
  { title, submit }: Words,
  blocks: KnownBlock[],
): ModalView {
  return {
    type: "modal",
    callback_id: callbackId,
    title: plain(title, MAX_TITLE),
    submit: plain(submit, MAX_TITLE),
    close: plain(MODAL_TEXTS[locale].close, MAX_TITLE),
    private_metadata: metadata,
    blocks,
  };
}

function interruptModal(
  view: View & { readonly title: string },
  callbackId: string,
  place: (typeof INPUTS)[keyof typeof INPUTS],
  texts: Words & { readonly intro: string; readonly label: string; readonly placeholder: string },
): ModalView {
  return modal(view, callbackId, texts, [
    section(`${bold(view.title, MAX_NAME)}\n${texts.intro}`),
    { ...textInput(place, texts, MAX_REASON_CHARS), optional: true },
  ]);
}

function textInput(
  { block, input }: (typeof INPUTS)[keyof typeof INPUTS],
  { label, placeholder }: { readonly label: string; readonly placeholder?: string },
  maxLength?: number,
): InputBlock {
  return {
    type: "input",
    block_id: block,
    element: {
      type: "plain_text_input",
      action_id: input,
      multiline: true,
      ...(maxLength !== undefined && { max_length: maxLength }),
      ...(placeholder !== undefined && { placeholder: plain(placeholder, MAX_PLACEHOLDER) }),
    },
    label: plain(label, MAX_LABEL),
  };
}

/** The value of an option is its index: a choice may be longer than Slack allows. */
function choiceInput(label: string, choices: readonly string[]): InputBlock {
  const options = choices.slice(0, MAX_OPTIONS).map((choice, index) => optionOf(choice, index));
  return {
    type: "input",
    block_id: INPUTS.answer.block,
    element:
      options.length <= MAX_RADIO_BUTTONS
        ? { type: "radio_buttons", action_id: INPUTS.answer.input, options }
        : { type: "static_select", action_id: INPUTS.answer.input, options },
    label: plain(label, MAX_LABEL),
  };
}

function afterRejection(texts: {
  readonly after: string;
  readonly fail: string;
  readonly skip: string;
}): InputBlock {
  const fail = optionOf(texts.fail, "fail");
  return {
    type: "input",
    block_id: INPUTS.onReject.block,
    element: {
      type: "radio_buttons",
      action_id: INPUTS.onReject.input,
      options: [fail, optionOf(texts.skip, "skip")],
      initial_option: fail,
    },
    label: plain(texts.after, MAX_LABEL),
  };
}

function optionOf(text: string, value: number | string): PlainTextOption {
  return { text: plain(text, MAX_OPTION), value: String(value) };
}
