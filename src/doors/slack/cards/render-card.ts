import { askCardDecided, askCardPending } from "./ask-card.ts";
import type { CardBlock } from "./blocks.ts";
import { draftRejectedTitle } from "./draft-card.ts";
import {
  executionCardBlocked,
  executionCardCancelled,
  executionCardCompleted,
  executionCardFailed,
  executionCardRunning,
  executionCardStopping,
  executionCardWaiting,
} from "./execution-card.ts";
import { endOf, groupBoardEnded, groupBoardRunning, groupBoardStopping } from "./group-board.ts";
import {
  processCardApproved,
  processCardCancelled,
  processCardExpired,
  processCardFailed,
  processCardGenerating,
  processCardPending,
  processCardRegenerating,
  processCardRejected,
  processCardWithdrawn,
} from "./process-card.ts";
import {
  promptCardApproved,
  promptCardCancelled,
  promptCardExpired,
  promptCardFailed,
  promptCardGenerating,
  promptCardPending,
  promptCardRegenerating,
  promptCardRejected,
  promptCardWithdrawn,
} from "./prompt-card.ts";
import {
  taskCardCancelled,
  taskCardComplete,
  taskCardFailed,
  taskCardGenerating,
} from "./task-card.ts";
import { ASK_TEXTS } from "./texts/ask-texts.ts";
import { CARD_TEXTS } from "./texts/card-texts.ts";
import { GROUP_TEXTS } from "./texts/group-texts.ts";
import type { CardName, CardView, CardViews } from "./views.ts";
import { wrapCard, type CardMessage, type CardStatus } from "./wrap-card.ts";

type Words = (typeof CARD_TEXTS)["ja"];

type Card<View> = {
  readonly build: (view: View) => readonly CardBlock[];
  readonly status: (view: View) => CardStatus;
  /** One line for notifications and for clients that cannot show blocks. */
  readonly fallback: (view: View) => string;
};

const GROUP_ENDS = { completed: "completed", failed: "failed", stopped: "cancelled" } as const;

const CARDS: { readonly [Name in CardName]: Card<CardViews[Name]> } = {
  taskGenerating: card(taskCardGenerating, "generating", (texts) => texts.received),
  taskComplete: {
    build: taskCardComplete,
    status: () => "completed",
    fallback: ({ locale, title }) => CARD_TEXTS[locale].taskReady(title),
  },
  taskFailed: card(taskCardFailed, "failed", (texts) => texts.analysisFailed),
  taskCancelled: card(taskCardCancelled, "cancelled", (texts) => texts.taskCancelled),
  promptGenerating: card(promptCardGenerating, "generating", ({ prompt }) => prompt.generating),
  promptPending: card(promptCardPending, "pending_approval", ({ prompt }) => prompt.pending),
  promptApproved: card(promptCardApproved, "approved", (texts) =>
    texts.approved(texts.prompt.title),
  ),
  promptRejected: {
    build: promptCardRejected,
    status: () => "rejected",
    fallback: (view) => draftRejectedTitle("prompt", view),
  },
  promptRegenerating: card(promptCardRegenerating, "regenerating", (texts) =>
    texts.regenerating(texts.prompt.title),
  ),
  promptCancelled: card(promptCardCancelled, "cancelled", (texts) => texts.taskIsCancelled),
  promptFailed: card(promptCardFailed, "failed", ({ prompt }) => prompt.failed),
  promptExpired: card(promptCardExpired, "expired", (texts) => texts.expired(texts.prompt.title)),
  promptWithdrawn: card(promptCardWithdrawn, "cancelled", (texts) => texts.taskIsCancelled),
  processGenerating: card(processCardGenerating, "generating", ({ process }) => process.generating),
  processPending: card(processCardPending, "pending_approval", ({ process }) => process.pending),
  processApproved: card(processCardApproved, "approved", (texts) =>
    texts.approved(texts.process.title),
  ),
  processRejected: {
    build: processCardRejected,
    status: () => "rejected",
    fallback: (view) => draftRejectedTitle("process", view),
  },
  processRegenerating: card(processCardRegenerating, "regenerating", (texts) =>
    texts.regenerating(texts.process.title),
  ),
  processCancelled: card(processCardCancelled, "cancelled", (texts) => texts.taskIsCancelled),
  processFailed: card(processCardFailed, "failed", ({ process }) => process.failed),
  processExpired: card(processCardExpired, "expired", (texts) =>
    texts.expired(texts.process.title),
  ),
  processWithdrawn: card(processCardWithdrawn, "cancelled", (texts) => texts.taskIsCancelled),
  executionRunning: card(executionCardRunning, "running", (texts) => texts.running),
  executionWaiting: card(executionCardWaiting, "pending_approval", (texts) => texts.waiting),
  executionStopping: card(executionCardStopping, "stopping", (texts) => texts.stopping),
  executionBlocked: card(executionCardBlocked, "blocked", (texts) => texts.blocked),
  executionCompleted: card(executionCardCompleted, "completed", (texts) => texts.completed),
  executionFailed: card(executionCardFailed, "failed", (texts) => texts.executionFailed),
  executionCancelled: card(
    executionCardCancelled,
    "cancelled",
    (texts) => texts.executionCancelled,
  ),
  askPending: {
    build: askCardPending,
    status: () => "pending_approval",
    fallback: ({ locale, kind }) => ASK_TEXTS[locale].titles[kind],
  },
  askDecided: {
    build: askCardDecided,
    status: ({ decision }) => decision,
    fallback: ({ locale, ask }) => ASK_TEXTS[locale].resolved(ASK_TEXTS[locale].titles[ask.kind]),
  },
  groupRunning: {
    build: groupBoardRunning,
    status: () => "running",
    fallback: ({ locale, description }) => `${GROUP_TEXTS[locale].running}: ${description}`,
  },
  groupStopping: {
    build: groupBoardStopping,
    status: () => "stopping",
    fallback: ({ locale, description }) => `${GROUP_TEXTS[locale].stopping}: ${description}`,
  },
  groupEnded: {
    build: groupBoardEnded,
    status: (view) => GROUP_ENDS[endOf(view)],
    fallback: (view) => `${GROUP_TEXTS[view.locale][endOf(view)]}: ${view.description}`,
  },
};

export const CARD_NAMES: readonly string[] = Object.keys(CARDS);

/** A card as the arguments of `chat.postMessage` and `chat.update`. */
export function renderCard<Name extends CardName>(name: Name, view: CardViews[Name]): CardMessage {
  const { build, status, fallback }: Card<CardViews[Name]> = CARDS[name];
  return wrapCard(build(view), status(view), fallback(view));
}

/** A card whose colour and fallback depend on nothing but its state. */
function card<View extends CardView>(
  build: Card<View>["build"],
  status: CardStatus,
  fallback: (words: Words) => string,
): Card<View> {
  return { build, status: () => status, fallback: ({ locale }) => fallback(CARD_TEXTS[locale]) };
}
