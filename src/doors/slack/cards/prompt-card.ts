import { markdown } from "../text/markdown.ts";
import { MAX_TEXT, section, type CardBlock } from "./blocks.ts";
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
import { restNote } from "./parts.ts";
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
  PromptBody,
} from "./views.ts";

export function promptCardGenerating(view: CardView): readonly CardBlock[] {
  return draftGenerating("prompt", view);
}

export function promptCardPending(view: DraftPendingView & PromptBody): readonly CardBlock[] {
  return draftPending("prompt", view, bodyOf(view));
}

export function promptCardApproved(view: DraftApprovedView & PromptBody): readonly CardBlock[] {
  return draftApproved("prompt", view, bodyOf(view));
}

export function promptCardRejected(view: DraftRejectedView & PromptBody): readonly CardBlock[] {
  return draftRejected("prompt", view, bodyOf(view));
}

export function promptCardRegenerating(
  view: DraftRegeneratingView & PromptBody,
): readonly CardBlock[] {
  return draftRegenerating("prompt", view, bodyOf(view));
}

export function promptCardExpired(view: DraftExpiredView & PromptBody): readonly CardBlock[] {
  return draftExpired("prompt", view, bodyOf(view));
}

export function promptCardWithdrawn(view: DraftWithdrawnView & PromptBody): readonly CardBlock[] {
  return draftWithdrawn("prompt", view, bodyOf(view));
}

export function promptCardCancelled(view: DraftCancelledView): readonly CardBlock[] {
  return draftCancelled("prompt", view);
}

export function promptCardFailed(view: DraftFailedView): readonly CardBlock[] {
  return draftFailed("prompt", view);
}

function bodyOf(view: CardView & PromptBody): readonly CardBlock[] {
  return [section(markdown(view.content, MAX_TEXT)), ...restNote(view, view.content)];
}
