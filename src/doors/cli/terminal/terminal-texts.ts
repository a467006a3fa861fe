import type { AlertStatus } from "../../../domain/alerts/alert.ts";
import type { ApprovalKind, ApprovalStatus } from "../../../domain/approvals/approval.ts";
import type { Locale } from "../../../domain/locale.ts";
import type { ExecutionStatus, StepStatus } from "../../../domain/tasks/execution.ts";
import type { TaskStatus } from "../../../domain/tasks/task.ts";
import { en } from "./terminal-texts-en.ts";
import { ja } from "./terminal-texts-ja.ts";

/** What the terminal says; every sentence in both languages. */
export type TerminalTexts = {
  readonly locale: Locale;
  readonly task: Record<TaskStatus, string>;
  readonly step: Record<StepStatus, string>;
  readonly execution: Record<ExecutionStatus, string>;
  readonly asks: Record<ApprovalKind, string>;
  /** Names of the kinds, in lists. */
  readonly kinds: Record<ApprovalKind, string>;
  readonly approval: Record<ApprovalStatus, string>;
  readonly accepted: (id: string) => string;
  readonly sampleHint: (program: string, id: string) => string;
  readonly sampleCosts: (runner: string) => string;
  readonly sampleNeedsYes: (runner: string) => string;
  readonly daemonStarted: (url: string) => string;
  readonly promptVersion: (version: number) => string;
  readonly steps: (version: number) => string;
  readonly approvedByFlag: (title: string) => string;
  readonly decide: string;
  readonly decideOrView: string;
  readonly chooseLetter: (letters: readonly string[]) => string;
  readonly omitted: (lines: number) => string;
  readonly cut: string;
  readonly viewAll: string;
  readonly reason: string;
  readonly reasonNeeded: string;
  readonly answer: string;
  readonly answerNeeded: string;
  readonly chooseAnswer: (count: number) => string;
  readonly chooseNumber: (count: number) => string;
  readonly outcome: string;
  readonly rejectStep: string;
  readonly tool: string;
  readonly arguments: string;
  readonly request: string;
  readonly progress: (done: number, total: number) => string;
  readonly moreSteps: (count: number) => string;
  readonly decidedElsewhere: (by: string, status: ApprovalStatus) => string;
  readonly decided: (status: ApprovalStatus, title: string) => string;
  readonly interrupted: {
    readonly whatNow: string;
    /** By the letter to type; the empty text is Enter. */
    readonly choices: Readonly<Record<string, string>>;
  };
  readonly blockReasonNeeded: string;
  readonly detached: (program: string, id: string) => string;
  readonly cancelled: (count: number) => string;
  readonly blocked: (count: number) => string;
  readonly unblocked: string;
  readonly retried: string;
  readonly stopsAgents: (count: number) => string;
  readonly unchanged: string;
  readonly nobodyHere: (program: string, id: string) => string;
  readonly summary: string;
  readonly error: string;
  readonly files: string;
  readonly moreFiles: (count: number) => string;
  readonly duration: string;
  readonly waitedForPeople: (duration: string) => string;
  readonly dashboard: string;
  readonly details: string;
  readonly noTasks: (program: string) => string;
  readonly noTasksMatch: string;
  readonly noApprovals: string;
  readonly noAlerts: string;
  readonly alert: Record<AlertStatus, string>;
  readonly alertSent: (target: string, ms: number) => string;
  readonly alertNotSent: (target: string, why: string) => string;
  readonly reconnected: string;
  readonly daemonRevived: (url: string) => string;
  /** With the command that goes on. */
  readonly daemonStopped: (command: string) => string;
  readonly blockedBy: (by: string, reason: string) => string;
  readonly unblockedBy: (by: string) => string;
  readonly person: (id: string) => string;
  readonly requester: string;
  readonly headings: {
    readonly id: string;
    readonly status: string;
    readonly title: string;
    readonly created: string;
    readonly kind: string;
    readonly task: string;
    readonly target: string;
  };
};

export const TERMINAL_TEXTS: Record<Locale, TerminalTexts> = { ja, en };
