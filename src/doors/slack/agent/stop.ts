import { changeTaskStatus } from "../../../app/tasks/change-task-status.ts";
import { fieldsOf, textOf } from "../../../base/narrow.ts";
import { isFinal } from "../../../domain/tasks/task.ts";
import { actAsPerson } from "../incoming/act.ts";
import type { Incoming } from "../incoming/context.ts";
import type { SlackRequest } from "../receive/inbox.ts";

/** Slack's own Stop button: cancels the task of the conversation. */
export async function handleStop(incoming: Incoming, request: SlackRequest): Promise<void> {
  const event = fieldsOf(request.body["event"]);
  const channel = textOf(event["channel"]) ?? textOf(event["channel_id"]) ?? "";
  const threadTs = textOf(event["thread_ts"]) ?? "";
  const { core } = incoming;
  const thread = await core.store.getSlackThread(request.team, channel, threadTs);
  const task = thread && (await core.store.getTask(thread.taskId));
  if (!task || isFinal(task)) return;
  const { id: taskId } = task;
  const act = { action: "request.refused", subject: `task.cancelled ${taskId}`, taskId };
  await actAsPerson(incoming, request, act, async ({ identity }) => {
    await changeTaskStatus(core, identity, { taskId, status: "cancelled" });
  });
}
