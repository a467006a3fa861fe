import type { Core } from "../../../app/core.ts";
import type { SlackThread } from "../../../app/ports/slack-store.ts";
import { viewTask, type TaskView } from "../../../app/tasks/view-task.ts";
import type { TaskId } from "../../../domain/ids.ts";
import { isOver } from "../../../domain/tasks/execution.ts";
import type { TaskStatus } from "../../../domain/tasks/task.ts";
import { isRepairable } from "./final-errors.ts";
import { viewPeople, type PersonViews } from "./person-views.ts";
import { projectTask } from "./project-task.ts";
import { putDesired } from "./put-desired.ts";
import { peopleIn } from "./task-context.ts";

export type TaskMessages = PersonViews & {
  readonly core: Core;
  readonly dashboardUrl: () => string | undefined;
};

/**
 * Stores the messages of a task as they should look now. True: there is something to send. Without
 * a thread in Slack there is nothing to do.
 */
export async function storeTaskMessages(
  options: TaskMessages,
  taskId: TaskId,
  isRevival: boolean,
): Promise<boolean> {
  const { core } = options;
  const thread = oldest(await core.store.listSlackThreadsOfTask(taskId));
  if (!thread) return false;
  const view = await viewTask(core, taskId);
  const { requester } = view.task;
  const person = await viewPeople(options, thread, requester, peopleIn(view));
  const existing = await core.store.listSlackMessagesOfTask(taskId);
  const messages = projectTask({
    view,
    context: {
      locale: thread.locale,
      dashboardUrl: options.dashboardUrl(),
      person,
      maxRegenerations: core.settings.tasks.maxRegenerations,
      known: new Map(existing.map(({ key, status }) => [key, { isDead: status === "dead" }])),
    },
  });
  const { team, channel, threadTs } = thread;
  const place = { team, channel, threadTs, taskId, groupId: null };
  const isSettled = hasEnded(view) && !existing.some(isRepairable);
  return core.store.transaction(async (unit) => {
    let isChanged = false;
    for (const message of messages) {
      const isPut = await putDesired(core, unit, { place, message, isRevival });
      isChanged ||= isPut;
    }
    await unit.settleSlackThread(taskId, isSettled);
    return isChanged;
  });
}

const ENDED: readonly TaskStatus[] = ["completed", "cancelled", "failed"];

/** A failed task may be retried: then it is among the unfinished tasks again. */
function hasEnded({ task, executions }: TaskView): boolean {
  return ENDED.includes(task.status) && executions.every(({ execution }) => isOver(execution));
}

function oldest(threads: readonly SlackThread[]): SlackThread | undefined {
  return threads.toSorted((a, b) => a.at - b.at)[0];
}
