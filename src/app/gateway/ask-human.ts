import { truncate } from "../../base/truncate.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import type { Approval } from "../../domain/approvals/approval.ts";
import { questionBinding } from "../../domain/gateway/call-binding.ts";
import type { AgentId } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import { applyToExecution, isOver, type Execution } from "../../domain/tasks/execution.ts";
import { requireAgent } from "../agents/require-agent.ts";
import { requireRoomForQuestion } from "../approvals/limit-open-approvals.ts";
import { requestApproval } from "../approvals/request-approval.ts";
import type { Core, Identity } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { saveExecution } from "../tasks/execution/execution-event.ts";
import { requireNotStopped } from "../tasks/interrupt/stop-requested.ts";
import { requesterOfAgent } from "./authorize-agent-call.ts";
import { approvalExpired, executionOver, executionStopping } from "./call-refusals.ts";
import { holdCall, type Patience } from "./hold-call.ts";

export const MAX_QUESTION_CHARS = 4_000;
export const MAX_CHOICES = 20;
export const MAX_CHOICE_CHARS = 200;
const MAX_TITLE_CHARS = 100;

export type AskHuman = Patience & {
  readonly question: string;
  /** Empty: the person answers in their own words. */
  readonly choices: readonly string[];
};

export type HumanAnswered = { readonly answer: string; readonly answeredBy: string };

/**
 * An agent asks a person and waits like a held call. The same question gets the same answer, for
 * every agent of the execution.
 */
export async function askHuman(
  core: Core,
  identity: Identity,
  input: AskHuman,
): Promise<HumanAnswered> {
  if (identity.kind !== "agent") throw notAnAgent();
  const asked = { question: requireQuestion(input.question), choices: tidyChoices(input.choices) };
  const since = core.clock.now();
  for (;;) {
    const { approval, canPark } = await core.store.transaction((unit) =>
      findOrAsk(core, unit, identity.agentId, asked),
    );
    if (approval.status !== "pending") return answerOf(approval);
    await holdCall(core, approval, { ...input, agentId: identity.agentId, since, canPark });
  }
}

type Question = Pick<AskHuman, "question" | "choices">;

type Asked = {
  readonly approval: Approval;
  readonly canPark: boolean;
};

async function findOrAsk(
  core: Core,
  unit: UnitOfWork,
  agentId: AgentId,
  asked: Question,
): Promise<Asked> {
  await requireNotStopped(unit, agentId);
  const agent = await requireAgent(unit, agentId);
  // The agent ended while the call was under way, so the answer could not be delivered.
  if (agent.process === "ended") throw agentEnded(agentId);
  const execution = await unit.getExecution(agent.executionId ?? "");
  if (execution && isOver(execution)) throw executionOver(execution);
  if (execution?.status === "stopping") throw executionStopping(execution);
  const canPark = execution !== undefined;
  const binding = core.tokens.hash(questionBinding(execution?.id ?? agentId, asked.question));
  const [known] = await unit.listApprovalsByBinding(binding);
  const isClosed = known?.status === "cancelled" || known?.status === "superseded";
  const approval = known && !isClosed ? known : await askNew(core, unit, agent, asked, binding);
  if (execution && approval.status === "pending") await showWaiting(core, unit, execution);
  return { approval, canPark };
}

async function askNew(
  core: Core,
  unit: UnitOfWork,
  agent: Agent,
  { question, choices }: Question,
  binding: string,
): Promise<Approval> {
  await requireRoomForQuestion(unit, agent.id);
  const task = agent.taskId === null ? undefined : await unit.getTask(agent.taskId);
  return requestApproval(core, unit, {
    kind: "question",
    taskId: agent.taskId,
    requester: task?.requester ?? requesterOfAgent(agent),
    title: truncate(question.replaceAll(/\s+/g, " "), MAX_TITLE_CHARS),
    executionId: agent.executionId,
    agentId: agent.id,
    binding,
    choices,
    shown: { question, choices, askedBy: agent.id },
  });
}

/** Shows that the execution waits for a person. */
async function showWaiting(core: Core, unit: UnitOfWork, execution: Execution): Promise<void> {
  if (execution.status !== "running") return;
  const next = applyToExecution(execution, "human_needed", core.clock.now());
  await saveExecution(core, unit, next, execution);
}

function answerOf(approval: Approval): HumanAnswered {
  if (approval.status === "expired") throw approvalExpired(approval);
  if (approval.status === "approved") {
    return { answer: approval.choice?.answer ?? "", answeredBy: approval.decidedBy ?? "" };
  }
  throw new Refusal("STEP_REJECTED", {
    en: [
      `${approval.decidedBy ?? "A person"} did not answer${approval.reason === null ? "." : `: ${approval.reason}`}`,
      "Go on by what you know, or report that you cannot.",
    ],
    ja: [
      `${approval.decidedBy ?? "利用者"} は答えませんでした${approval.reason === null ? "。" : `: ${approval.reason}`}`,
      "分かっている範囲で続けるか、できないと報告してください。",
    ],
  });
}

function requireQuestion(given: string): string {
  const question = given.trim();
  if (question.length > 0 && question.length <= MAX_QUESTION_CHARS) return question;
  throw new Refusal("INVALID_ARGUMENTS", {
    en: [
      question.length === 0
        ? "The question is empty."
        : `The question has ${question.length} characters; at most ${MAX_QUESTION_CHARS} fit.`,
      "Ask one thing, in a few sentences.",
    ],
    ja: [
      question.length === 0
        ? "質問が空です。"
        : `質問が ${question.length} 文字あります。上限は ${MAX_QUESTION_CHARS} 文字です。`,
      "1 つのことを、短い文で尋ねてください。",
    ],
  });
}

function tidyChoices(given: readonly string[]): readonly string[] {
  const choices = [...new Set(given.map((choice) => choice.trim()))];
  const isGood = choices.every((choice) => choice.length > 0 && choice.length <= MAX_CHOICE_CHARS);
  if (isGood && choices.length <= MAX_CHOICES && choices.length !== 1) return choices;
  throw new Refusal("INVALID_ARGUMENTS", {
    en: [
      `Choices are 2 to ${MAX_CHOICES} different texts of at most ${MAX_CHOICE_CHARS} characters.`,
      "Correct them, or leave choices out for an answer in the person's own words.",
    ],
    ja: [
      `選択肢は、${MAX_CHOICE_CHARS} 文字以内の異なる文を 2 個から ${MAX_CHOICES} 個です。`,
      "直すか、choices を省略して自由に答えてもらってください。",
    ],
  });
}

export function agentEnded(agentId: AgentId): Refusal {
  return new Refusal("AGENT_ALREADY_ENDED", {
    en: [`${agentId} has ended.`, "Nothing is left to do."],
    ja: [`${agentId} は終わっています。`, "することはもうありません。"],
  });
}

function notAnAgent(): Refusal {
  return new Refusal("NOT_ALLOWED", {
    en: [
      "ask_human is for agents; you can ask the person you work for yourself.",
      "Ask in your own conversation.",
    ],
    ja: [
      "ask_human はエージェント用です。あなたは依頼した人に直接尋ねられます。",
      "自分の会話の中で尋ねてください。",
    ],
  });
}
