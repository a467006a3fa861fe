import type { Locale } from "../../../../src/domain/locale.ts";
import * as answers from "../../../../src/doors/slack/cards/answers.ts";
import { homeView, homeViewUnlinked } from "../../../../src/doors/slack/cards/home.ts";
import * as modals from "../../../../src/doors/slack/cards/modals.ts";
import { refusalNotice, type RefusalView } from "../../../../src/doors/slack/cards/refusals.ts";
import type { HomeApproval } from "../../../../src/doors/slack/cards/views.ts";
import { SAMPLE_WORDS } from "./sample-words.ts";
import {
  AT,
  dashboardUrl,
  HANA,
  MARI,
  MINUTE,
  notice,
  TASK_ID,
  viewSample,
  type Sample,
} from "./sample.ts";

const listedTasks = (locale: Locale) => {
  const [first = "", second = ""] = SAMPLE_WORDS[locale].tasks;
  return [
    {
      taskId: TASK_ID,
      title: first,
      status: "in_progress" as const,
      updatedAt: AT,
      progress: { done: 2, total: 5 },
      url: dashboardUrl,
    },
    {
      taskId: "task-01JSGX9B4K",
      title: second,
      status: "awaiting_process_approval" as const,
      updatedAt: AT - 5 * MINUTE,
    },
  ];
};
const listedApprovals = (locale: Locale): readonly HomeApproval[] =>
  SAMPLE_WORDS[locale].approvalTitles.map((title, index) => ({
    kind: (["prompt", "process", "step"] as const)[index] ?? "question",
    title,
    askedAt: AT - index * MINUTE,
    url: dashboardUrl,
  }));
const recentTasks = (locale: Locale) =>
  SAMPLE_WORDS[locale].tasks.slice(2).map((title, index) => ({
    taskId: `task-01JSGW0${index}`,
    title,
    status: (["completed", "failed"] as const)[index] ?? "completed",
    updatedAt: AT - 90 * MINUTE,
    url: dashboardUrl,
  }));

const metadata =
  '{"approval":"apr-01JSGX8A0C","version":1,"channel":"C01","ts":"1776663192.000100"}';
const base = (locale: Locale) => ({ locale, metadata });

export const VIEW_SAMPLES: readonly Sample[] = [
  viewSample("home", homeView, (locale) => ({
    locale,
    approvals: listedApprovals(locale),
    running: listedTasks(locale),
    recent: recentTasks(locale),
    dashboardUrl,
  })),
  viewSample("home-empty", homeView, (locale) => ({
    locale,
    approvals: [],
    running: [],
    recent: [],
  })),
  viewSample("home-unlinked", homeViewUnlinked, (locale) => ({ locale, dashboardUrl })),
  viewSample("modal-rejection", modals.rejectionModal, base),
  viewSample("modal-call-rejection", modals.callRejectionModal, (locale) => ({
    ...base(locale),
    tool: "sheets/write_rows",
    isStep: true,
  })),
  viewSample("modal-answer", modals.answerModal, (locale) => ({
    ...base(locale),
    question: SAMPLE_WORDS[locale].question,
    choices: [],
  })),
  viewSample("modal-answer-choices", modals.answerModal, (locale) => ({
    ...base(locale),
    question: SAMPLE_WORDS[locale].question,
    choices: SAMPLE_WORDS[locale].choices,
  })),
  viewSample("modal-block", modals.blockModal, (locale) => ({
    ...base(locale),
    title: SAMPLE_WORDS[locale].title,
  })),
  viewSample("modal-cancel", modals.cancelModal, (locale) => ({
    ...base(locale),
    title: SAMPLE_WORDS[locale].title,
  })),
  viewSample("modal-decided", modals.decidedModal, (locale) => ({
    locale,
    decision: "approved" as const,
    by: HANA,
    decidedAt: AT,
    version: 1,
    taskId: TASK_ID,
  })),
];

const PLAIN_REFUSALS = [
  "notLinked",
  "guest",
  "otherWorkspace",
  "bot",
  "viewer",
  "stale",
  "expired",
  "closed",
  "clickAgain",
  "oldButton",
  "taskOver",
  "tooMany",
  "failed",
] as const;

function refusals(locale: Locale): readonly RefusalView[] {
  return [
    ...PLAIN_REFUSALS.map((reason) => ({ locale, reason })),
    { locale, reason: "notApprover", approvers: [HANA, MARI] },
    { locale, reason: "alreadyDecided", decision: "approved", by: HANA, decidedAt: AT },
    {
      locale,
      reason: "refused",
      message: "The task is completed; only a task in progress can be blocked.",
      hint: "Cancel it instead, or wait until it is in progress.",
    },
  ];
}

function refusalOf(locale: Locale, index: number): RefusalView {
  return refusals(locale)[index] ?? { locale, reason: "failed" };
}

function refusalSamples(): readonly Sample[] {
  return refusals("ja").map(({ reason }, index) => {
    const name = reason.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return notice(`refusal-${name}`, refusalNotice, (locale) => refusalOf(locale, index));
  });
}

export const NOTICE_SAMPLES: readonly Sample[] = [
  notice("greeting", answers.greeting, (locale) => ({ locale, name: "Kuromajutsu" }), true),
  notice("kuro-help", answers.helpAnswer, (locale) => ({ locale })),
  notice("kuro-unknown", answers.unknownAnswer, (locale) => ({ locale, word: "statsu" })),
  notice("kuro-status", answers.statusAnswer, (locale) => ({
    locale,
    tasks: listedTasks(locale),
  })),
  notice("kuro-approvals", answers.approvalsAnswer, (locale) => ({
    locale,
    approvals: listedApprovals(locale),
  })),
  notice("kuro-accepted", answers.acceptedAnswer, (locale) => ({ locale })),
  notice("kuro-cancelled", answers.cancelledAnswer, (locale) => ({
    locale,
    title: SAMPLE_WORDS[locale].title,
  })),
  notice("link-help", answers.linkHelpAnswer, (locale) => ({ locale })),
  notice("link-done", answers.linkedAnswer, (locale) => ({ locale, name: "hana" })),
  ...(["wrong", "expired", "too_many"] as const).map((reason) =>
    notice(`link-${reason.replace("_", "-")}`, answers.linkFailedAnswer, (locale) => ({
      locale,
      reason,
    })),
  ),
  ...refusalSamples(),
];
