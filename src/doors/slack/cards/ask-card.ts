import type { Button } from "@slack/types";
import { fileLetter, lineCounts } from "../../../contract/shown-merge.ts";
import { codeSpan, isTooLong, jsonBlock } from "../text/code.ts";
import { dateText } from "../text/date.ts";
import { EMPTY, literalText } from "../text/escape.ts";
import { markdown } from "../text/markdown.ts";
import { mention } from "../text/mention.ts";
import { shortLine } from "../text/short-line.ts";
import { truncateMrkdwn } from "../text/truncate-mrkdwn.ts";
import { ACTIONS } from "./action-ids.ts";
import {
  actions,
  button,
  confirmation,
  context,
  divider,
  header,
  section,
  type CardBlock,
} from "./blocks.ts";
import { bold } from "./lines.ts";
import { dashboardButton, reasonText, termsTexts } from "./parts.ts";
import { ASK_TEXTS } from "./texts/ask-texts.ts";
import { CARD_TEXTS } from "./texts/card-texts.ts";
import type {
  AskDecidedView,
  AskView,
  CallAskView,
  MergeAskView,
  OutcomeAskView,
  QuestionAskView,
} from "./views.ts";

/** How many asks an execution card shows with their buttons. */
export const MAX_ASKS = 2;
const MAX_ARGS = 1_800;
const MAX_ARGS_LINES = 30;
/** Arguments with more lines than this come after the buttons: Slack hides the end of a long card. */
const MAX_LINES_BEFORE_BUTTONS = 12;
const MAX_QUESTION = 1_500;
const MAX_CHOICE = 150;
const MAX_CHOICES = 10;
const MAX_ANSWER = 1_000;
const MAX_ERROR = 500;
const MAX_NAME = 120;
const MAX_FILES = 15;

/** A message of its own, so that Slack notifies the people of the thread. */
export function askCardPending(view: AskView): readonly CardBlock[] {
  return [header(askTitle(view)), ...askBlocks(view)];
}

export function askTitle({ locale, kind }: AskView): string {
  return ASK_TEXTS[locale].titles[kind];
}

/** Whether a card shows only the beginning of these arguments. */
export function areArgumentsCut(args: string): boolean {
  return args.split("\n").length > MAX_ARGS_LINES || isTooLong(args, MAX_ARGS);
}

/** One ask with its buttons. */
export function askBlocks(view: AskView): readonly CardBlock[] {
  switch (view.kind) {
    case "step":
    case "unplanned_tool":
    case "call":
      return callBlocks(view);
    case "question":
      return questionBlocks(view);
    case "outcome":
      return outcomeBlocks(view);
    case "merge":
      return mergeBlocks(view);
  }
}

function mergeBlocks(view: MergeAskView): readonly CardBlock[] {
  const texts = CARD_TEXTS[view.locale];
  return [
    ...mergeSubject(view),
    ...actions(
      button(texts.approve, ACTIONS.approveMerge, view.decisionValue, { style: "primary" }),
      button(texts.reject, ACTIONS.rejectMerge, view.decisionValue, { style: "danger" }),
      dashboardButton(view),
    ),
    smallPrint(view),
  ];
}

/** The branch, the files with their numbers, conflicts and the check. */
function mergeSubject({ locale, merge }: MergeAskView): readonly CardBlock[] {
  const texts = ASK_TEXTS[locale];
  const { files, conflicts, check } = merge;
  const agent = codeSpan(merge.agentId, MAX_NAME);
  const target = codeSpan(merge.target, MAX_NAME);
  const others = merge.fileCount - Math.min(files.length, MAX_FILES);
  const lines = [
    `*${texts.files(merge.fileCount, merge.added, merge.removed)}*`,
    ...files
      .slice(0, MAX_FILES)
      .map((file) => `${fileLetter(file)} ${codeSpan(file.path, MAX_NAME)} ${lineCounts(file)}`),
    ...(others > 0 ? [CARD_TEXTS[locale].others(others)] : []),
  ];
  const clash = [
    texts.conflicts,
    ...conflicts.slice(0, MAX_FILES).map((path) => `• ${codeSpan(path, MAX_NAME)}`),
  ];
  return [
    section(texts.merge(agent, merge.version, target, lineOf(merge.mode, MAX_NAME))),
    section(lines.join("\n")),
    ...(merge.isClean ? [] : [section(clash.join("\n"))]),
    section(textOf(merge.message, MAX_ERROR)),
    context(check === null ? texts.noCheck : texts.check(codeSpan(check, MAX_NAME))),
  ];
}

function callBlocks(view: CallAskView): readonly CardBlock[] {
  const texts = CARD_TEXTS[view.locale];
  const buttons = actions(
    button(texts.approve, ACTIONS.approveStep, view.decisionValue, { style: "primary" }),
    button(texts.reject, ACTIONS.rejectStep, view.decisionValue, { style: "danger" }),
    dashboardButton(view),
  );
  return [section(callText(view)), ...withArguments(view, buttons), smallPrint(view)];
}

function callText({ kind, locale, tool, step }: CallAskView): string {
  const texts = ASK_TEXTS[locale];
  const name = codeSpan(tool, MAX_NAME);
  if (kind !== "step") return texts.wants[kind](name);
  return texts.wants.step(name, step ? texts.step(step.order, bold(step.title, MAX_NAME)) : EMPTY);
}

/** The exact arguments, before the buttons if they are short. */
function withArguments(
  view: CallAskView | OutcomeAskView,
  buttons: readonly CardBlock[],
): readonly CardBlock[] {
  const shown = argumentBlocks(view);
  const isLong =
    areArgumentsCut(view.args) || view.args.split("\n").length > MAX_LINES_BEFORE_BUTTONS;
  return isLong ? [...buttons, ...shown] : [...shown, ...buttons];
}

function argumentBlocks(view: CallAskView | OutcomeAskView): readonly CardBlock[] {
  const texts = ASK_TEXTS[view.locale];
  return [
    section(`*${texts.arguments}*\n${jsonBlock(firstLines(view.args), MAX_ARGS)}`),
    ...(areArgumentsCut(view.args) ? [context(texts.rest[view.fullTextIn])] : []),
  ];
}

function firstLines(args: string): string {
  const lines = args.split("\n");
  if (lines.length <= MAX_ARGS_LINES) return args;
  return [...lines.slice(0, MAX_ARGS_LINES), "..."].join("\n");
}

function questionBlocks(view: QuestionAskView): readonly CardBlock[] {
  const texts = ASK_TEXTS[view.locale];
  return [
    section(markdown(view.question, MAX_QUESTION)),
    ...actions(
      button(texts.answer, ACTIONS.answerQuestion, view.decisionValue, { style: "primary" }),
      dashboardButton(view),
    ),
    ...choiceBlocks(view),
    smallPrint(view),
  ];
}

function choiceBlocks({ locale, choices }: QuestionAskView): readonly CardBlock[] {
  if (choices.length === 0) return [];
  const others = choices.length - MAX_CHOICES;
  const lines = [
    ...choices.slice(0, MAX_CHOICES).map((choice) => `• ${lineOf(choice, MAX_CHOICE)}`),
    ...(others > 0 ? [CARD_TEXTS[locale].others(others)] : []),
  ];
  return [section(`*${ASK_TEXTS[locale].choices}*\n${lines.join("\n")}`)];
}

function outcomeBlocks(view: OutcomeAskView): readonly CardBlock[] {
  const texts = ASK_TEXTS[view.locale];
  const buttons = actions(
    button(texts.done, ACTIONS.outcomeDone, view.decisionValue, { style: "primary" }),
    repeatButton(view),
    button(texts.fail, ACTIONS.outcomeFailed, view.decisionValue, { style: "danger" }),
    dashboardButton(view),
  );
  const { error } = view;
  return [
    section(`${lostText(view)}\n${texts.checkLost}`),
    ...withArguments(view, buttons),
    ...(error === null ? [] : [section(`*${texts.error}*\n${textOf(error, MAX_ERROR)}`)]),
    smallPrint(view),
  ];
}

function lostText({ locale, tool, forwardedAt }: OutcomeAskView): string {
  return ASK_TEXTS[locale].lost(codeSpan(tool, MAX_NAME), dateText(forwardedAt));
}

function repeatButton({ locale, decisionValue }: OutcomeAskView): Button {
  const { repeat, confirmRepeat } = ASK_TEXTS[locale];
  return button(repeat, ACTIONS.outcomeRepeat, decisionValue, {
    confirm: confirmation(confirmRepeat),
  });
}

function smallPrint(view: AskView): CardBlock {
  return context([...subjectTexts(view), ...termsTexts(view, view)].join(" · ") || EMPTY);
}

function subjectTexts({ locale, agent, taskId }: AskView): readonly string[] {
  const texts = ASK_TEXTS[locale];
  return [
    ...(taskId === null ? [] : [texts.task(codeSpan(taskId, MAX_NAME))]),
    ...(agent === null ? [] : [texts.agent(codeSpan(agent, MAX_NAME))]),
  ];
}

export function askCardDecided(view: AskDecidedView): readonly CardBlock[] {
  const { ask, answer, reason, locale } = view;
  const texts = ASK_TEXTS[locale];
  return [
    header(decidedTitle(view)),
    ...subjectOf(ask),
    ...(answer === null || ask.kind !== "question"
      ? []
      : [section(`*${texts.yourAnswer}*\n${textOf(answer, MAX_ANSWER)}`)]),
    divider,
    context(
      decidedText(view),
      ...outcomeTexts(view),
      ...(reason === null ? [] : [`${texts.reason}: ${reasonText(reason)}`]),
    ),
  ];
}

/** What was decided on, without buttons. */
function subjectOf(ask: AskView): readonly CardBlock[] {
  if (ask.kind === "question") return [section(markdown(ask.question, MAX_QUESTION))];
  if (ask.kind === "merge") return mergeSubject(ask);
  return [section(ask.kind === "outcome" ? lostText(ask) : callText(ask)), ...argumentBlocks(ask)];
}

function decidedTitle({ ask, decision, locale }: AskDecidedView): string {
  const texts = ASK_TEXTS[locale];
  const title = askTitle(ask);
  if (decision === "expired" || decision === "cancelled") return texts[decision](title);
  if (ask.kind === "outcome") return texts.resolved(title);
  if (ask.kind === "question" && decision === "approved") return texts.answered(title);
  return texts[decision](title);
}

function decidedText({ ask, decision, by, decidedAt, locale }: AskDecidedView): string {
  const texts = ASK_TEXTS[locale];
  const when = dateText(decidedAt);
  if (decision === "expired") return texts.expiredAt(when);
  if (decision === "cancelled") return texts.cancelledAt(when);
  const who = by === null ? texts.unknownPerson : mention(by);
  if (decision === "rejected") return texts.rejectedBy(who, when);
  return ask.kind === "question" || ask.kind === "outcome"
    ? texts.answeredBy(who, when)
    : texts.approvedBy(who, when);
}

function outcomeTexts({ ask, decision, answer, locale }: AskDecidedView): readonly string[] {
  if (ask.kind !== "outcome") return [];
  const { outcomes } = ASK_TEXTS[locale];
  if (decision === "rejected") return [outcomes.failed];
  if (decision !== "approved") return [];
  return [answer === "repeat" ? outcomes.repeat : outcomes.done];
}

function lineOf(text: string, maxChars: number): string {
  return shortLine(text, maxChars);
}

function textOf(text: string, maxChars: number): string {
  return truncateMrkdwn(literalText(text).trim(), maxChars) || EMPTY;
}
