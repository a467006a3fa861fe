import { dateText } from "../text/date.ts";
import { mention } from "../text/mention.ts";
import { ACTIONS } from "./action-ids.ts";
import { actions, button, context, divider, header, section, type CardBlock } from "./blocks.ts";
import {
  cancelTaskButton,
  dashboardButton,
  literalSection,
  reasonText,
  retryTaskButton,
  taskIdText,
  taskVersionText,
  termsTexts,
} from "./parts.ts";
import { CARD_TEXTS } from "./texts/card-texts.ts";
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
} from "./views.ts";

/** Prompt and process cards differ in their words, their buttons and their body. */
export type DraftKind = "prompt" | "process";

const DECISIONS = {
  prompt: { approve: ACTIONS.approvePrompt, reject: ACTIONS.rejectPrompt },
  process: { approve: ACTIONS.approveProcess, reject: ACTIONS.rejectProcess },
} as const;

type Body = readonly CardBlock[];

export function draftGenerating(kind: DraftKind, { locale }: CardView): Body {
  const { title, generating } = CARD_TEXTS[locale][kind];
  return [header(title), section(generating)];
}

export function draftPending(kind: DraftKind, view: DraftPendingView, body: Body): Body {
  const texts = CARD_TEXTS[view.locale];
  const { approve, reject } = DECISIONS[kind];
  return [
    header(texts[kind].title),
    ...body,
    divider,
    ...actions(
      button(texts.approve, approve, view.decisionValue, { style: "primary" }),
      button(texts.reject, reject, view.decisionValue, { style: "danger" }),
      dashboardButton(view),
      cancelTaskButton(view, view.cancelValue),
    ),
    context(taskVersionText(view, view.taskId, view.version), ...termsTexts(view, view)),
  ];
}

export function draftApproved(kind: DraftKind, view: DraftApprovedView, body: Body): Body {
  const texts = CARD_TEXTS[view.locale];
  return [
    header(texts.approved(texts[kind].title)),
    ...body,
    divider,
    context(texts.approvedBy(mention(view.by), dateText(view.approvedAt))),
  ];
}

export function draftRejected(kind: DraftKind, view: DraftRejectedView, body: Body): Body {
  const texts = CARD_TEXTS[view.locale];
  const { nextVersion } = view;
  return [
    header(draftRejectedTitle(kind, view)),
    ...body,
    divider,
    context(
      rejectedBy(view),
      view.isFailed ? texts.noNewVersion(nextVersion) : texts.newVersion(nextVersion),
    ),
  ];
}

export function draftRejectedTitle(
  kind: DraftKind,
  { locale, isFailed = false }: Pick<DraftRejectedView, "locale" | "isFailed">,
): string {
  const texts = CARD_TEXTS[locale];
  const { title } = texts[kind];
  return isFailed ? texts.notRegenerated(title) : texts.rejected(title);
}

/** Rejected, and the next version does not exist yet. */
export function draftRegenerating(kind: DraftKind, view: DraftRegeneratingView, body: Body): Body {
  const texts = CARD_TEXTS[view.locale];
  return [
    header(texts.regenerating(texts[kind].title)),
    ...body,
    divider,
    context(rejectedBy(view), texts.makingNewVersion),
  ];
}

export function draftCancelled(kind: DraftKind, view: DraftCancelledView): Body {
  const texts = CARD_TEXTS[view.locale];
  const { rejection } = view;
  return [
    header(texts.cancelled(texts[kind].title)),
    section(texts.taskIsCancelled),
    ...(rejection ? [divider, context(rejectedBy(rejection), texts.noRegenerationLeft)] : []),
  ];
}

export function draftFailed(kind: DraftKind, view: DraftFailedView): Body {
  const texts = CARD_TEXTS[view.locale];
  return [
    header(texts.failed(texts[kind].title)),
    literalSection(texts.error, view.error),
    ...actions(retryTaskButton(view, view.retryValue), dashboardButton(view)),
    context(`${taskIdText(view, view.taskId)} · ${texts.failedAt(dateText(view.failedAt))}`),
  ];
}

/** The deadline passed; a retry asks again. */
export function draftExpired(kind: DraftKind, view: DraftExpiredView, body: Body): Body {
  const texts = CARD_TEXTS[view.locale];
  const { retryValue } = view;
  return [
    header(texts.expired(texts[kind].title)),
    ...body,
    divider,
    ...(retryValue === undefined ? [] : actions(retryTaskButton(view, retryValue))),
    context(
      texts.expiredAt(dateText(view.expiredAt)),
      taskVersionText(view, view.taskId, view.version),
    ),
  ];
}

export function draftWithdrawn(kind: DraftKind, view: DraftWithdrawnView, body: Body): Body {
  const texts = CARD_TEXTS[view.locale];
  return [
    header(texts.cancelled(texts[kind].title)),
    ...body,
    divider,
    context(texts.cancelledBy(mention(view.by), dateText(view.withdrawnAt))),
  ];
}

function rejectedBy({ locale, by, reason }: DraftRegeneratingView): string {
  return CARD_TEXTS[locale].rejectedBy(mention(by), reasonText(reason));
}
