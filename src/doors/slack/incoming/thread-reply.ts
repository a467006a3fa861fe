import { decideApproval } from "../../../app/approvals/decide-approval.ts";
import { listAllApprovals } from "../../../app/approvals/list-all-approvals.ts";
import { sendMessage } from "../../../app/notifications/send-message.ts";
import { requirePerson } from "../../../app/people/require-person.ts";
import type { Approval } from "../../../domain/approvals/approval.ts";
import type { Task, TaskStatus } from "../../../domain/tasks/task.ts";
import { notice } from "../cards/answers.ts";
import type { SlackRequest } from "../receive/inbox.ts";
import { literalLine } from "../text/escape.ts";
import type { Actor } from "./act.ts";
import { answer } from "./answer.ts";
import type { Incoming } from "./context.ts";
import { DOOR_TEXTS } from "./door-texts.ts";
import { viaOf } from "./via.ts";

export type Reply = { readonly task: Task; readonly text: string };

const MAX_SENT = 50;

const WAITING: Partial<
  Readonly<Record<TaskStatus, "waitsForApproval" | "isBlocked" | "hasFailed">>
> = {
  awaiting_prompt_approval: "waitsForApproval",
  awaiting_process_approval: "waitsForApproval",
  blocked: "isBlocked",
  failed: "hasFailed",
};

/**
 * A message in the thread of a task: the answer to its question, else a message to its agent, else
 * a hint what the person can do.
 */
export async function replyToTask(
  incoming: Incoming,
  request: SlackRequest,
  actor: Actor,
  { task, text }: Reply,
): Promise<void> {
  const texts = DOOR_TEXTS[actor.locale];
  const say = (line: string) => answer(incoming, request, notice(line), actor.place);
  requirePerson(actor.identity, "operator");
  const questions = await openQuestions(incoming, task);
  const [question, second] = questions;
  if (second) return say(texts.whichQuestion);
  if (question) return answerQuestion(incoming, request, actor, question, text);
  const waiting = WAITING[task.status];
  if (waiting !== undefined) return say(texts[waiting]);
  if (task.status !== "in_progress") return say(texts.isDrafting);
  const execution = await incoming.core.store.getExecution(task.executionId ?? "");
  const agentId = execution?.agentId ?? null;
  if (agentId === null) return say(texts.isStarting);
  await sendMessage(incoming.core, actor.identity, {
    agentId,
    text,
    from: actor.identity.person.id,
  });
  await say(texts.passed);
}

/**
 * The daemon ended after it had stored the answer or the message. An earlier one with the same words
 * is another one.
 */
export async function isDone(
  { core }: Incoming,
  { at }: SlackRequest,
  { identity }: Actor,
  { task, text }: Reply,
): Promise<boolean> {
  const by = identity.person.id;
  const questions = await listAllApprovals(core.store, { taskId: task.id, kind: "question" });
  const isAnswered = questions.some(
    ({ decidedBy, decidedAt, choice }) =>
      decidedBy === by && (decidedAt ?? 0) >= at && isSame(choice?.answer ?? "", text),
  );
  if (isAnswered) return true;
  const execution = await core.store.getExecution(task.executionId ?? "");
  const sent = await core.store.listNotifications(execution?.agentId ?? "", MAX_SENT);
  return sent.some((each) => each.from === by && each.text === text && each.createdAt >= at);
}

function openQuestions({ core }: Incoming, { id }: Task): Promise<readonly Approval[]> {
  return listAllApprovals(core.store, { taskId: id, statuses: ["pending"], kind: "question" });
}

async function answerQuestion(
  incoming: Incoming,
  request: SlackRequest,
  { identity, locale, place }: Actor,
  { id, version, choices }: Approval,
  text: string,
): Promise<void> {
  const texts = DOOR_TEXTS[locale];
  const chosen = choices.length === 0 ? text : choices.find((each) => isSame(each, text));
  if (chosen === undefined) {
    const shown = choices.map((choice) => `「${literalLine(choice)}」`).join(" ");
    return answer(incoming, request, notice(texts.oneOf(shown)), place);
  }
  const decision = { approvalId: id, decision: "approve", version, answer: chosen } as const;
  await decideApproval(incoming.core, identity, { ...decision, via: viaOf(request, place) });
  await answer(incoming, request, notice(texts.answered), place);
}

function isSame(choice: string, text: string): boolean {
  return choice.trim().toLowerCase() === text.trim().toLowerCase();
}
