import type {
  ActionsBlock,
  Button,
  ConfirmationDialog,
  ContextBlock,
  DividerBlock,
  HeaderBlock,
  MrkdwnElement,
  PlainTextElement,
  SectionBlock,
} from "@slack/types";
import { EMPTY } from "../text/escape.ts";
import { plainLine } from "../text/plain-line.ts";
import { truncateMrkdwn } from "../text/truncate-mrkdwn.ts";

/** The blocks that our cards consist of. */
export type CardBlock = HeaderBlock | SectionBlock | DividerBlock | ContextBlock | ActionsBlock;

/** Limits of Slack, in UTF-16 units. */
export const MAX_TEXT = 3_000;
const MAX_FIELD = 2_000;
const MAX_HEADER = 150;
const MAX_BUTTON = 75;
/** A context element may be as long as a section, but it is small print. */
const MAX_CONTEXT = 1_000;

/** Texts for which Slack would add links to channels and mentions by itself. */
const AUTOMATIC = /[@#]/;

export const divider: DividerBlock = { type: "divider" };

/** `text` is mrkdwn: foreign parts of it are escaped by now. */
export function mrkdwn(text: string, maxChars = MAX_TEXT): MrkdwnElement {
  const short = truncateMrkdwn(text, maxChars) || EMPTY;
  const isVerbatim = AUTOMATIC.test(short.replaceAll(/<[^<>]*>/g, ""));
  return { type: "mrkdwn", text: short, ...(isVerbatim && { verbatim: true }) };
}

export function plain(text: string, maxChars: number): PlainTextElement {
  return { type: "plain_text", text: plainLine(text, maxChars) };
}

export function header(text: string): HeaderBlock {
  return { type: "header", text: { ...plain(text, MAX_HEADER), emoji: true } };
}

export function section(text: string): SectionBlock {
  return { type: "section", text: mrkdwn(text) };
}

export function fields(...texts: readonly string[]): SectionBlock {
  return { type: "section", fields: texts.map((text) => mrkdwn(text, MAX_FIELD)) };
}

export function context(...texts: readonly string[]): ContextBlock {
  return { type: "context", elements: texts.map((text) => mrkdwn(text, MAX_CONTEXT)) };
}

/** No block if there is no button: Slack refuses an empty one. */
export function actions(...buttons: readonly (Button | undefined)[]): readonly ActionsBlock[] {
  const elements = buttons.filter((each) => each !== undefined);
  return elements.length === 0 ? [] : [{ type: "actions", elements }];
}

type ButtonOptions = {
  readonly style?: "primary" | "danger";
  readonly confirm?: ConfirmationDialog;
};

export function button(
  text: string,
  actionId: string,
  value: string,
  options: ButtonOptions = {},
): Button {
  return {
    type: "button",
    text: { ...plain(text, MAX_BUTTON), emoji: true },
    action_id: actionId,
    value,
    ...options,
  };
}

export function linkButton(text: string, actionId: string, url: string): Button {
  return {
    type: "button",
    text: { ...plain(text, MAX_BUTTON), emoji: true },
    action_id: actionId,
    url,
  };
}

type ConfirmTexts = {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly deny: string;
};

export function confirmation(texts: ConfirmTexts): ConfirmationDialog {
  return {
    title: plain(texts.title, 100),
    text: plain(texts.text, 300),
    confirm: plain(texts.confirm, 30),
    deny: plain(texts.deny, 30),
  };
}
