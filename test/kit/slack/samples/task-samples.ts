import type { Locale } from "../../../../src/domain/locale.ts";
import { SAMPLE_WORDS } from "./sample-words.ts";
import {
  AT,
  card,
  dashboardUrl,
  HANA,
  KEN,
  MARI,
  MINUTE,
  steps,
  TASK_ID,
  VALUE,
  type Sample,
} from "./sample.ts";

const pending = (locale: Locale) => ({
  locale,
  taskId: TASK_ID,
  version: 2,
  decisionValue: VALUE,
  cancelValue: VALUE,
  dashboardUrl,
  approvers: [HANA, MARI],
  votes: { given: 1, needed: 2 },
  expiresAt: AT + 60 * MINUTE,
});
const decided = (locale: Locale) => ({
  locale,
  by: HANA,
  approvedAt: AT,
  withdrawnAt: AT,
  expiredAt: AT,
  reason: SAMPLE_WORDS[locale].reason,
  nextVersion: 2,
  taskId: TASK_ID,
  version: 1,
  retryValue: VALUE,
});
const failed = (locale: Locale) => ({
  locale,
  error: SAMPLE_WORDS[locale].draftError,
  taskId: TASK_ID,
  retryValue: VALUE,
  failedAt: AT,
  dashboardUrl,
});
const cancelled = (locale: Locale) => ({ locale, rejection: decided(locale) });
const prompt = (locale: Locale) => ({ content: SAMPLE_WORDS[locale].prompt });
const process = (locale: Locale) => ({ steps: steps(locale) });
const both =
  <Base, Body>(base: (locale: Locale) => Base, body: (locale: Locale) => Body) =>
  (locale: Locale) => ({ ...base(locale), ...body(locale) });

export const TASK_SAMPLES: readonly Sample[] = [
  card("task-generating", "taskGenerating", (locale) => ({ locale })),
  card("task-complete", "taskComplete", (locale) => ({
    locale,
    title: SAMPLE_WORDS[locale].title,
    description: SAMPLE_WORDS[locale].description,
    priority: "high",
    type: SAMPLE_WORDS[locale].type,
    taskId: TASK_ID,
    cancelValue: VALUE,
    dashboardUrl,
  })),
  card("task-failed", "taskFailed", (locale) => ({
    locale,
    error: SAMPLE_WORDS[locale].draftError,
    taskId: TASK_ID,
    retryValue: VALUE,
    failedAt: AT,
    dashboardUrl,
  })),
  card("task-cancelled", "taskCancelled", (locale) => ({
    locale,
    title: SAMPLE_WORDS[locale].title,
    taskId: TASK_ID,
    by: KEN,
    reason: SAMPLE_WORDS[locale].blockReason,
    cancelledAt: AT,
  })),
];

/** Both drafts have the same states; only their bodies differ. */
export const DRAFT_SAMPLES: readonly Sample[] = [
  card("prompt-generating", "promptGenerating", (locale) => ({ locale })),
  card("prompt-pending", "promptPending", both(pending, prompt)),
  card("prompt-approved", "promptApproved", both(decided, prompt)),
  card("prompt-regenerating", "promptRegenerating", both(decided, prompt)),
  card("prompt-rejected", "promptRejected", both(decided, prompt)),
  card("prompt-cancelled", "promptCancelled", cancelled),
  card("prompt-failed", "promptFailed", failed),
  card("prompt-expired", "promptExpired", both(decided, prompt)),
  card("prompt-withdrawn", "promptWithdrawn", both(decided, prompt)),
  card("process-generating", "processGenerating", (locale) => ({ locale })),
  card("process-pending", "processPending", both(pending, process)),
  card("process-approved", "processApproved", both(decided, process)),
  card("process-regenerating", "processRegenerating", both(decided, process)),
  card("process-rejected", "processRejected", both(decided, process)),
  card("process-cancelled", "processCancelled", cancelled),
  card("process-failed", "processFailed", failed),
  card("process-expired", "processExpired", both(decided, process)),
  card("process-withdrawn", "processWithdrawn", both(decided, process)),
];
