import type { KnownBlock } from "@slack/types";
import type { Locale } from "../../../domain/locale.ts";
import { codeSpan } from "../text/code.ts";
import { shortLine } from "../text/short-line.ts";
import { section } from "./blocks.ts";
import { approvalSections, listed, taskSections } from "./home.ts";
import { bold } from "./lines.ts";
import { ANSWER_TEXTS } from "./texts/answer-texts.ts";
import type { CardView, HomeApproval, HomeTask } from "./views.ts";

const MAX_NAME = 120;
const MAX_LISTED = 15;

/** A message for one person: the answer of a command, or an ephemeral message. */
export type Notice = { readonly text: string; readonly blocks: readonly KnownBlock[] };

/** `text` is mrkdwn; it is also what notifications show. */
export function notice(text: string, ...more: readonly KnownBlock[]): Notice {
  return { text, blocks: [section(text), ...more] };
}

/** The first message of a conversation; `name` is the name of the app. */
export function greeting({ locale, name }: CardView & { readonly name: string }): Notice {
  const shown = shortLine(name, MAX_NAME);
  return notice(ANSWER_TEXTS[locale].greeting(shown));
}

export type SuggestedPrompt = { readonly title: string; readonly message: string };

/** What people are offered if the configuration names no prompts. */
export function suggestedPrompts({ locale }: CardView): readonly SuggestedPrompt[] {
  return ANSWER_TEXTS[locale].prompts;
}

export function helpAnswer({ locale }: CardView): Notice {
  return notice(ANSWER_TEXTS[locale].help);
}

export function unknownAnswer({ locale, word }: CardView & { readonly word: string }): Notice {
  const texts = ANSWER_TEXTS[locale];
  return notice(`${texts.unknown(codeSpan(word, MAX_NAME))}\n\n${texts.help}`);
}

export function statusAnswer(view: CardView & { readonly tasks: readonly HomeTask[] }): Notice {
  const texts = ANSWER_TEXTS[view.locale];
  const entries = taskSections(view, view.tasks);
  return notice(texts.status, ...listed(view, entries, MAX_LISTED, texts.noTasks));
}

export function approvalsAnswer(
  view: CardView & { readonly approvals: readonly HomeApproval[] },
): Notice {
  const texts = ANSWER_TEXTS[view.locale];
  const entries = approvalSections(view, view.approvals);
  return notice(texts.approvals, ...listed(view, entries, MAX_LISTED, texts.noApprovals));
}

export function acceptedAnswer({ locale }: CardView): Notice {
  return notice(ANSWER_TEXTS[locale].accepted);
}

export function cancelledAnswer({ locale, title }: CardView & { readonly title: string }): Notice {
  return notice(ANSWER_TEXTS[locale].cancelled(bold(title, MAX_NAME)));
}

export function linkHelpAnswer({ locale }: CardView): Notice {
  return notice(ANSWER_TEXTS[locale].linkHelp);
}

export function linkedAnswer({ locale, name }: CardView & { readonly name: string }): Notice {
  return notice(ANSWER_TEXTS[locale].linked(bold(name, MAX_NAME)));
}

export function linkFailedAnswer({
  locale,
  reason,
}: CardView & { readonly reason: "wrong" | "expired" | "too_many" }): Notice {
  return notice(ANSWER_TEXTS[locale].linkFailed[reason]);
}

/** What a modal says below an input that is empty. */
export function missingInputText(locale: Locale, input: "reason" | "answer"): string {
  const { noReason, noAnswer } = ANSWER_TEXTS[locale].refusals;
  return input === "reason" ? noReason : noAnswer;
}
