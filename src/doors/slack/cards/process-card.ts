import type { CardBlock } from "./blocks.ts";
import {
  draftApproved,
  draftCancelled,
  draftExpired,
  draftFailed,
  draftGenerating,
  draftPending,
  draftRegenerating,
  draftRejected,
  draftWithdrawn,
} from "./draft-card.ts";
import { plannedSteps } from "./lines.ts";
import type {
  CardView,
  DraftApprovedView,
  DraftCancelledView,
  DraftExpiredView,
  DraftFailedView,
  DraftPendingView,
  DraftRegeneratingView,
  DraftRejectedView,
  DraftWithdrawnView,
  ProcessBody,
} from "./views.ts";

/** What the steps of one message may take of its budget. */
const STEPS_BUDGET = 8_000;

export function processCardGenerating(view: CardView): readonly CardBlock[] {
  return draftGenerating("process", view);
}

export function processCardPending(view: DraftPendingView & ProcessBody): readonly CardBlock[] {
  return draftPending("process", view, bodyOf(view));
}

export function processCardApproved(view: DraftApprovedView & ProcessBody): readonly CardBlock[] {
  return draftApproved("process", view, bodyOf(view));
}

export function processCardRejected(view: DraftRejectedView & ProcessBody): readonly CardBlock[] {
  return draftRejected("process", view, bodyOf(view));
}

export function processCardRegenerating(
  view: DraftRegeneratingView & ProcessBody,
): readonly CardBlock[] {
  return draftRegenerating("process", view, bodyOf(view));
}

export function processCardExpired(view: DraftExpiredView & ProcessBody): readonly CardBlock[] {
  return draftExpired("process", view, bodyOf(view));
}

export function processCardWithdrawn(view: DraftWithdrawnView & ProcessBody): readonly CardBlock[] {
  return draftWithdrawn("process", view, bodyOf(view));
}

export function processCardCancelled(view: DraftCancelledView): readonly CardBlock[] {
  return draftCancelled("process", view);
}

export function processCardFailed(view: DraftFailedView): readonly CardBlock[] {
  return draftFailed("process", view);
}

function bodyOf(view: CardView & ProcessBody): readonly CardBlock[] {
  return plannedSteps(view, view.steps, STEPS_BUDGET);
}
