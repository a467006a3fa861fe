import type { Button } from "@slack/types";
import { dateText } from "../text/date.ts";
import { mention } from "../text/mention.ts";
import { ACTIONS } from "./action-ids.ts";
import { askBlocks, askTitle, MAX_ASKS } from "./ask-card.ts";
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
import { stepsInProgress } from "./lines.ts";
import { dashboardButton, literalSection, markdownSection, reasonText } from "./parts.ts";
import { CARD_TEXTS } from "./texts/card-texts.ts";
import type {
  CardView,
  ExecutionBlockedView,
  ExecutionCancelledView,
  ExecutionCompletedView,
  ExecutionFailedView,
  ExecutionRunningView,
  ExecutionStoppingView,
  ExecutionView,
  ExecutionWaitingView,
} from "./views.ts";

/** What the steps may take of the budget of one message; an error or a summary needs the rest. */
const STEPS_BUDGET = 6_000;
/** Next to calls that people check. */
const SHORT_STEPS_BUDGET = 3_000;

export function executionCardRunning(view: ExecutionRunningView): readonly CardBlock[] {
  const texts = CARD_TEXTS[view.locale];
  return [
    header(texts.running),
    ...stepsInProgress(view, STEPS_BUDGET),
    divider,
    context(progressText(view)),
    ...runningButtons(view),
  ];
}

/** The buttons come first: Slack hides the end of a long card. */
export function executionCardWaiting(view: ExecutionWaitingView): readonly CardBlock[] {
  const texts = CARD_TEXTS[view.locale];
  const others = view.asks.length - MAX_ASKS;
  return [
    header(waitingTitle(view)),
    ...view.asks
      .slice(0, MAX_ASKS)
      .flatMap((ask) => [...askBlocks({ ...ask, dashboardUrl: undefined }), divider]),
    ...(others > 0 ? [context(texts.others(others))] : []),
    ...stepsInProgress(view, SHORT_STEPS_BUDGET),
    divider,
    context(progressText(view)),
    ...runningButtons(view),
  ];
}

export function executionCardStopping(view: ExecutionStoppingView): readonly CardBlock[] {
  const texts = CARD_TEXTS[view.locale];
  return [
    header(texts.stopping),
    ...stepsInProgress(view, STEPS_BUDGET),
    ...reasonBlocks(view, view.reason),
    divider,
    context(texts.stoppingFor[view.stopFor](mention(view.by), dateText(view.requestedAt))),
  ];
}

export function executionCardBlocked(view: ExecutionBlockedView): readonly CardBlock[] {
  const texts = CARD_TEXTS[view.locale];
  return [
    header(texts.blocked),
    ...reasonBlocks(view, view.reason),
    ...actions(
      button(texts.unblock, ACTIONS.unblockTask, view.unblockValue, {
        style: "primary",
        confirm: confirmation(texts.unblockTask),
      }),
      view.cancelValue === undefined ? undefined : stopButton(view, view.cancelValue),
      dashboardButton(view),
    ),
    ...stepsInProgress(view, STEPS_BUDGET),
    divider,
    context(texts.blockedBy(mention(view.by), dateText(view.blockedAt)), progressText(view)),
  ];
}

export function executionCardCompleted(view: ExecutionCompletedView): readonly CardBlock[] {
  const texts = CARD_TEXTS[view.locale];
  return [
    header(texts.completed),
    ...stepsInProgress(view, STEPS_BUDGET),
    divider,
    markdownSection(texts.summary, view.summary),
    ...actions(dashboardButton(view)),
    context(texts.completedAt(secondsOf(view), dateText(view.completedAt))),
  ];
}

export function executionCardFailed(view: ExecutionFailedView): readonly CardBlock[] {
  const texts = CARD_TEXTS[view.locale];
  return [
    header(texts.executionFailed),
    ...stepsInProgress(view, STEPS_BUDGET),
    divider,
    literalSection(texts.error, view.error),
    ...actions(
      button(texts.retry, ACTIONS.retryExecution, view.retryValue, { style: "primary" }),
      dashboardButton(view),
    ),
    context(texts.executionFailedAt(secondsOf(view), dateText(view.failedAt))),
  ];
}

export function executionCardCancelled(view: ExecutionCancelledView): readonly CardBlock[] {
  const texts = CARD_TEXTS[view.locale];
  return [
    header(texts.executionCancelled),
    ...stepsInProgress(view, STEPS_BUDGET),
    divider,
    context(texts.cancelledBy(mention(view.by), dateText(view.cancelledAt))),
  ];
}

/** One ask says itself what it is. */
function waitingTitle({ locale, asks }: ExecutionWaitingView): string {
  const [ask, ...others] = asks;
  return ask && others.length === 0 ? askTitle(ask) : CARD_TEXTS[locale].waiting;
}

function progressText({ locale, steps }: ExecutionView): string {
  const done = steps.filter(({ status }) => status === "done").length;
  return CARD_TEXTS[locale].progress(done, steps.length);
}

function reasonBlocks({ locale }: CardView, reason: string | null): readonly CardBlock[] {
  return reason === null ? [] : [section(`*${CARD_TEXTS[locale].reason}*\n${reasonText(reason)}`)];
}

function runningButtons(view: ExecutionRunningView): readonly CardBlock[] {
  const { blockValue } = view;
  return actions(
    stopButton(view, view.cancelValue),
    blockValue === undefined
      ? undefined
      : button(CARD_TEXTS[view.locale].block, ACTIONS.blockTask, blockValue),
    dashboardButton(view),
  );
}

function stopButton({ locale }: CardView, value: string): Button {
  const { stop, stopExecution } = CARD_TEXTS[locale];
  return button(stop, ACTIONS.cancelExecution, value, {
    style: "danger",
    confirm: confirmation(stopExecution),
  });
}

function secondsOf({ elapsedMs }: { readonly elapsedMs: number }): number {
  return Math.round(elapsedMs / 1_000);
}
