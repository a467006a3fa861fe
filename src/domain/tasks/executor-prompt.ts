import type { Approval } from "../approvals/approval.ts";
import { resultsOf } from "../gateway/call-results.ts";
import type { ToolCall } from "../gateway/tool-call.ts";
import { canonicalJson } from "../text/canonical.ts";
import type { Step } from "./draft.ts";
import type { ExecutionInput, ExecutionStep, TaskFacts } from "./drafting.ts";
import type { StepState, StepStatus } from "./execution.ts";
import { toolName } from "./step-tool.ts";

/** A step with the name and the input schema of its tool. */
export type CallableStep = Step & Pick<ExecutionStep, "call" | "inputSchema">;

export type ExecutorFacts = Pick<ExecutionInput, "locale" | "request" | "prompt" | "attempt"> & {
  readonly task: TaskFacts;
  readonly steps: readonly CallableStep[];
  readonly states: readonly StepState[];
  /** The calls of all attempts at this process, oldest first. */
  readonly calls: readonly ToolCall[];
  /** What people decided in all attempts, oldest first. */
  readonly decided: readonly Approval[];
};

/** Everything an executor needs to continue where the previous one ended. */
export function executionInput(facts: ExecutorFacts): ExecutionInput {
  const { byStep, unplanned } = resultsOf(facts.calls);
  return {
    stage: "execution",
    locale: facts.locale,
    request: facts.request,
    task: facts.task,
    prompt: facts.prompt,
    attempt: facts.attempt,
    steps: facts.steps.map((step) => ({
      id: step.id,
      order: step.order,
      title: step.title,
      tool: toolName(step),
      call: step.call,
      inputSchema: step.inputSchema,
      requiresHumanCheck: step.requiresHumanCheck,
      status: statusFor(facts.states.find(({ stepId }) => stepId === step.id)),
      results: byStep.get(step.id) ?? [],
    })),
    unplanned,
    decisions: facts.decided.flatMap((approval) => sentenceFor(approval, facts) ?? []),
  };
}

/**
 * A step with answered calls is shown as running: the next executor decides whether it needs more
 * calls.
 */
function statusFor(state: StepState | undefined): StepStatus {
  if (!state) return "waiting";
  return state.mayRepeat ? "running" : state.status;
}

/** undefined: nothing is left to do about the decision. */
function sentenceFor(approval: Approval, facts: ExecutorFacts): string | undefined {
  const words = WORDS[facts.locale];
  const { kind, status, choice } = approval;
  const what = describe(approval, facts);
  const who = approval.decidedBy ?? "";
  const reason = approval.reason ?? "";
  if (status === "expired") return words.expired(what);
  if (kind === "question") {
    const question = textOf(approval.shown["question"], approval.title);
    return status === "approved"
      ? words.answered(quoted(question), who, quoted(choice?.answer ?? ""))
      : words.unanswered(quoted(question), who, quoted(reason));
  }
  if (status === "rejected") return words.rejected(what, who, quoted(reason));
  if (kind === "outcome" && choice?.answer === "done") return words.tookEffect(what, who);
  const isOpen = approval.usedAt === null || choice?.scope === "any_arguments";
  return isOpen ? words.approved(what, who, argsOf(approval)) : undefined;
}

function describe({ stepId, shown, title }: Approval, { steps }: ExecutorFacts): string {
  const step = steps.find(({ id }) => id === stepId);
  const call = step?.call ?? textOf(shown["tool"], title);
  return step ? `${step.id} (${call})` : call;
}

/** Quoted as JSON: a question cannot contain a forged answer, because its quotes are escaped. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

function argsOf({ shown }: Approval): string {
  return canonicalJson(shown["args"] ?? {});
}

const WORDS = {
  ja: {
    approved: (what: string, who: string, args: string) =>
      `${what} は ${who} が承認しました。次の引数で、そのまま呼び出してください: ${args}`,
    rejected: (what: string, who: string, reason: string) =>
      `${what} は ${who} が却下しました。理由: ${reason}`,
    expired: (what: string) => `${what} は期限までに誰も決めませんでした。`,
    tookEffect: (what: string, who: string) =>
      `${what} は実行済みだと ${who} が確認しました。繰り返さないでください。`,
    answered: (question: string, who: string, answer: string) =>
      `質問 ${question} に ${who} が答えました: ${answer}`,
    unanswered: (question: string, who: string, reason: string) =>
      `質問 ${question} に ${who} は答えませんでした。理由: ${reason}`,
  },
  en: {
    approved: (what: string, who: string, args: string) =>
      `${what} was approved by ${who}. Call it with exactly these arguments: ${args}`,
    rejected: (what: string, who: string, reason: string) =>
      `${what} was rejected by ${who}: ${reason}`,
    expired: (what: string) => `No decision about ${what} was made in time.`,
    tookEffect: (what: string, who: string) =>
      `${who} says that ${what} took effect. Do not repeat it.`,
    answered: (question: string, who: string, answer: string) =>
      `To your question ${question} ${who} answered: ${answer}`,
    unanswered: (question: string, who: string, reason: string) =>
      `${who} did not answer your question ${question}. Reason: ${reason}`,
  },
} as const;
