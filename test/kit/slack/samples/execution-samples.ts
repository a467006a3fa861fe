import type { Locale } from "../../../../src/domain/locale.ts";
import type { StepStatus } from "../../../../src/domain/tasks/execution.ts";
import type {
  AskDecidedView,
  CallAskView,
  MergeAskView,
  OutcomeAskView,
  QuestionAskView,
} from "../../../../src/doors/slack/cards/views.ts";
import { readableJson } from "../../../../src/doors/slack/text/readable-json.ts";
import { SAMPLE_WORDS } from "./sample-words.ts";
import { AT, card, dashboardUrl, HANA, KEN, steps, TASK_ID, VALUE, type Sample } from "./sample.ts";

const ARGS = readableJson({
  sheet: "attendance",
  range: "A2:C4",
  rows: [
    ["1001", "Sato", 12.5],
    ["1002", "Suzuki", 8],
  ],
});
const LONG_ARGS = readableJson({
  rows: Array.from({ length: 80 }, (_, row) => [String(1_001 + row), "Sato", 12.5]),
});

const ask = (locale: Locale) => ({
  locale,
  dashboardUrl,
  decisionValue: VALUE,
  agent: "executor-1776663100-3f2a",
  taskId: TASK_ID,
  approvers: [HANA],
});
const stepAsk = (locale: Locale): CallAskView => ({
  ...ask(locale),
  kind: "step",
  tool: "sheets/write_rows",
  args: ARGS,
  step: { order: 4, title: SAMPLE_WORDS[locale].steps[3] ?? "" },
  fullTextIn: "snippet",
});
const questionAsk = (locale: Locale): QuestionAskView => ({
  ...ask(locale),
  kind: "question",
  question: SAMPLE_WORDS[locale].question,
  choices: SAMPLE_WORDS[locale].choices,
});
const outcomeAsk = (locale: Locale): OutcomeAskView => ({
  ...ask(locale),
  kind: "outcome",
  tool: "sheets/write_rows",
  args: ARGS,
  error: SAMPLE_WORDS[locale].lostError,
  forwardedAt: AT,
  fullTextIn: "dashboard",
});
const mergeAsk = (locale: Locale): MergeAskView => ({
  ...ask(locale),
  kind: "merge",
  merge: {
    agentId: "impl-code-1776663100-3f2a",
    version: 2,
    target: "main",
    mode: "squash",
    message: SAMPLE_WORDS[locale].title,
    intoCheckout: false,
    isClean: true,
    conflicts: [],
    check: "npm test",
    fileCount: 18,
    added: 214,
    removed: 31,
    files: Array.from({ length: 18 }, (_, n) => ({
      path: `src/attendance/overtime-${n + 1}.ts`,
      from: null,
      status: n % 3 === 0 ? "added" : "modified",
      added: n === 4 ? null : 12,
      removed: n === 4 ? null : 2,
    })),
  },
});
const conflictingAsk = (locale: Locale): MergeAskView => {
  const whole = mergeAsk(locale);
  const conflicts = ["src/attendance/overtime-1.ts"];
  return { ...whole, merge: { ...whole.merge, isClean: false, conflicts, check: null } };
};
const decidedAsk = (locale: Locale, changes: Partial<AskDecidedView>): AskDecidedView => ({
  locale,
  ask: stepAsk(locale),
  decision: "approved",
  by: HANA,
  decidedAt: AT,
  reason: null,
  answer: null,
  ...changes,
});

const running = (locale: Locale, ...statuses: readonly StepStatus[]) => ({
  locale,
  steps: steps(locale, ...statuses),
  cancelValue: VALUE,
  blockValue: VALUE,
  dashboardUrl,
});
const stopped = (locale: Locale) => ({
  locale,
  steps: steps(locale, "done", "done", "stopped"),
  by: KEN,
  reason: SAMPLE_WORDS[locale].blockReason,
});

export const EXECUTION_SAMPLES: readonly Sample[] = [
  card("execution-running", "executionRunning", (locale) => running(locale, "done", "running")),
  card("execution-waiting", "executionWaiting", (locale) => ({
    ...running(locale, "done", "done", "done", "waiting_for_human"),
    asks: [stepAsk(locale)],
  })),
  card("execution-question", "executionWaiting", (locale) => ({
    ...running(locale, "done", "done", "waiting_for_human"),
    asks: [questionAsk(locale)],
  })),
  card("execution-unknown", "executionWaiting", (locale) => ({
    ...running(locale, "done", "done", "done", "outcome_unknown"),
    asks: [outcomeAsk(locale)],
  })),
  card("execution-stopping", "executionStopping", (locale) => ({
    ...stopped(locale),
    stopFor: "blocked",
    requestedAt: AT,
  })),
  card("execution-blocked", "executionBlocked", (locale) => ({
    ...stopped(locale),
    blockedAt: AT,
    unblockValue: VALUE,
    cancelValue: VALUE,
    dashboardUrl,
  })),
  card("execution-completed", "executionCompleted", (locale) => ({
    locale,
    steps: steps(locale, "done", "done", "done", "done", "done"),
    summary: SAMPLE_WORDS[locale].summary,
    elapsedMs: 84_000,
    completedAt: AT,
    dashboardUrl,
  })),
  card("execution-failed", "executionFailed", (locale) => ({
    locale,
    steps: steps(locale, "done", "done", "failed"),
    error: SAMPLE_WORDS[locale].error,
    elapsedMs: 42_000,
    failedAt: AT,
    retryValue: VALUE,
    dashboardUrl,
  })),
  card("execution-cancelled", "executionCancelled", (locale) => ({
    ...stopped(locale),
    cancelledAt: AT,
  })),
];

export const ASK_SAMPLES: readonly Sample[] = [
  card("ask-step", "askPending", stepAsk),
  card("ask-long-arguments", "askPending", (locale) => ({ ...stepAsk(locale), args: LONG_ARGS })),
  card("ask-unplanned-tool", "askPending", (locale) => ({
    ...stepAsk(locale),
    kind: "unplanned_tool",
    step: null,
  })),
  card("ask-call", "askPending", (locale) => ({
    ...stepAsk(locale),
    kind: "call",
    step: null,
    taskId: null,
  })),
  card("ask-question", "askPending", questionAsk),
  card("ask-outcome", "askPending", outcomeAsk),
  card("ask-merge", "askPending", mergeAsk),
  card("ask-merge-conflict", "askPending", conflictingAsk),
  card("ask-merge-approved", "askDecided", (locale) =>
    decidedAsk(locale, { ask: mergeAsk(locale) }),
  ),
  card("ask-approved", "askDecided", (locale) => decidedAsk(locale, {})),
  card("ask-rejected", "askDecided", (locale) =>
    decidedAsk(locale, { decision: "rejected", reason: SAMPLE_WORDS[locale].blockReason }),
  ),
  card("ask-answered", "askDecided", (locale) =>
    decidedAsk(locale, { ask: questionAsk(locale), answer: SAMPLE_WORDS[locale].answer }),
  ),
  card("ask-resolved", "askDecided", (locale) =>
    decidedAsk(locale, { ask: outcomeAsk(locale), answer: "repeat" }),
  ),
  card("ask-expired", "askDecided", (locale) =>
    decidedAsk(locale, { decision: "expired", by: null }),
  ),
  card("ask-withdrawn", "askDecided", (locale) =>
    decidedAsk(locale, { ask: questionAsk(locale), decision: "cancelled", by: null }),
  ),
];
