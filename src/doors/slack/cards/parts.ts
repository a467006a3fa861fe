import type { Button } from "@slack/types";
import { codeSpan } from "../text/code.ts";
import { dateText } from "../text/date.ts";
import { EMPTY, literalText } from "../text/escape.ts";
import { isCut, markdown } from "../text/markdown.ts";
import { mention } from "../text/mention.ts";
import { shortLine } from "../text/short-line.ts";
import { truncateMrkdwn } from "../text/truncate-mrkdwn.ts";
import { ACTIONS } from "./action-ids.ts";
import {
  button,
  confirmation,
  context,
  linkButton,
  MAX_TEXT,
  section,
  type CardBlock,
} from "./blocks.ts";
import { CARD_TEXTS } from "./texts/card-texts.ts";
import type { CardView, DecisionTerms } from "./views.ts";

const MAX_ID = 80;
/** The whole reason is in the core; the card shows its beginning. */
const MAX_REASON = 300;
const MAX_PEOPLE = 10;

export function taskIdText({ locale }: CardView, taskId: string): string {
  return `*${CARD_TEXTS[locale].taskId}:* ${codeSpan(taskId, MAX_ID)}`;
}

export function taskVersionText(view: CardView, taskId: string, version: number): string {
  return `${taskIdText(view, taskId)} · *${CARD_TEXTS[view.locale].version}:* v${version}`;
}

export function reasonText(reason: string): string {
  return shortLine(reason, MAX_REASON);
}

/** A section with a heading and a Markdown text of a model. */
export function markdownSection(heading: string, text: string): CardBlock {
  const start = `*${heading}*\n`;
  return section(`${start}${markdown(text, MAX_TEXT - start.length)}`);
}

/** A section with a heading and a foreign text that is not Markdown, such as an error. */
export function literalSection(heading: string, text: string): CardBlock {
  const start = `*${heading}*\n`;
  const shown = truncateMrkdwn(literalText(text).trim(), MAX_TEXT - start.length);
  return section(`${start}${shown || EMPTY}`);
}

/** Says that the rest of a long text is in the dashboard. */
export function restNote(view: CardView, text: string): readonly CardBlock[] {
  const isShort = view.dashboardUrl === undefined || !isCut(text, MAX_TEXT);
  return isShort ? [] : [context(CARD_TEXTS[view.locale].rest)];
}

export function termsTexts({ locale }: CardView, terms: DecisionTerms): readonly string[] {
  const texts = CARD_TEXTS[locale];
  const { approvers = [], votes, expiresAt } = terms;
  const people = approvers.slice(0, MAX_PEOPLE).map(mention).join(", ");
  const others = approvers.length - MAX_PEOPLE;
  return [
    ...(people === ""
      ? []
      : [texts.approvers(others > 0 ? `${people} ${texts.others(others)}` : people)]),
    ...(votes ? [texts.votes(votes.given, votes.needed)] : []),
    ...(expiresAt === undefined ? [] : [texts.deadline(dateText(expiresAt))]),
  ];
}

export function dashboardButton({ locale, dashboardUrl }: CardView): Button | undefined {
  if (dashboardUrl === undefined) return undefined;
  return linkButton(CARD_TEXTS[locale].dashboard, ACTIONS.openDashboard, dashboardUrl);
}

export function retryTaskButton({ locale }: CardView, value: string): Button {
  return button(CARD_TEXTS[locale].retry, ACTIONS.retryTask, value, { style: "primary" });
}

export function cancelTaskButton(
  { locale }: CardView,
  value: string | undefined,
): Button | undefined {
  if (value === undefined) return undefined;
  const { stop, stopTask } = CARD_TEXTS[locale];
  return button(stop, ACTIONS.cancelTask, value, { confirm: confirmation(stopTask) });
}
