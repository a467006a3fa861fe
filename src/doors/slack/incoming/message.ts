import { fieldsOf, textOf } from "../../../base/narrow.ts";
import { isFinal } from "../../../domain/tasks/task.ts";
import { helpAnswer } from "../cards/answers.ts";
import type { SlackRequest } from "../receive/inbox.ts";
import { actAsPerson } from "./act.ts";
import { answer } from "./answer.ts";
import type { Incoming } from "./context.ts";
import { readText } from "./read-text.ts";
import { requestTask } from "./request-task.ts";
import { isDone, replyToTask } from "./thread-reply.ts";

/** A mention in a channel or a direct message: a new task, or a reply to the task of the thread. */
export async function handleMessage(incoming: Incoming, request: SlackRequest): Promise<void> {
  const event = fieldsOf(request.body["event"]);
  const channel = textOf(event["channel"]) ?? "";
  const messageTs = textOf(event["ts"]) ?? "";
  const threadTs = textOf(event["thread_ts"]) ?? messageTs;
  const self = await incoming.api.botUserOf(request.team);
  const text = readText(textOf(event["text"]) ?? "", self);
  const hasFiles = Array.isArray(event["files"]) && event["files"].length > 0;
  const act = { action: "request.refused", subject: "task.created" };
  await actAsPerson(incoming, request, act, async (actor) => {
    if (text === "" && !hasFiles) {
      return answer(incoming, request, helpAnswer(actor), actor.place);
    }
    const task = await taskOfThread(incoming, request, { channel, threadTs, messageTs });
    const isReplied =
      task && request.isRepeated && (await isDone(incoming, request, actor, { task, text }));
    if (isReplied) return;
    if (task && !isFinal(task)) return replyToTask(incoming, request, actor, { task, text });
    const { files } = event;
    await requestTask(incoming, request, actor, { channel, threadTs, messageTs, text, files });
  });
}

/** The newest task of the thread, if this message did not ask for it. */
async function taskOfThread(
  { core }: Incoming,
  { team }: SlackRequest,
  at: { readonly channel: string; readonly threadTs: string; readonly messageTs: string },
) {
  if (await core.store.getSlackRequest(team, at.channel, at.messageTs)) return undefined;
  const thread = await core.store.getSlackThread(team, at.channel, at.threadTs);
  return thread && core.store.getTask(thread.taskId);
}
