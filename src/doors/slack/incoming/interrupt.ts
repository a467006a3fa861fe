import { stopGroup } from "../../../app/groups/stop-group.ts";
import { requirePerson } from "../../../app/people/require-person.ts";
import { changeTaskStatus, type SettableStatus } from "../../../app/tasks/change-task-status.ts";
import { requireNewestExecution } from "../../../app/tasks/execution/require-newest-execution.ts";
import { retryTask } from "../../../app/tasks/retry-task.ts";
import { readGroupValue, readTaskValue, type TaskValue } from "../button-values.ts";
import { notice } from "../cards/answers.ts";
import type { SlackRequest } from "../receive/inbox.ts";
import { actAsPerson, type Actor } from "./act.ts";
import { answer } from "./answer.ts";
import { valueIn } from "./click.ts";
import type { Incoming } from "./context.ts";
import { sayOldButton } from "./decide.ts";
import { DOOR_TEXTS } from "./door-texts.ts";

/** A click that blocks, unblocks or cancels the task of a card. */
export function handleStatusChange(
  incoming: Incoming,
  request: SlackRequest,
  status: SettableStatus,
): Promise<void> {
  return onTask(incoming, request, `task.${status}`, async ({ identity }, value) => {
    const isUnblocked =
      status === "in_progress" && (await isDone(incoming, request, identity, value));
    if (!isUnblocked) await setStatus(incoming, identity, value, { status });
  });
}

/** A click that retries a failed task. A second click finds a task that is no longer failed. */
export function handleRetry(incoming: Incoming, request: SlackRequest): Promise<void> {
  return onTask(incoming, request, "task.retried", async ({ identity }, value) => {
    if (await isDone(incoming, request, identity, value)) return;
    await requireNewest(incoming, value);
    await retryTask(incoming.core, identity, value.taskId);
  });
}

/** The daemon ended after this person had started a new attempt. */
async function isDone(
  { core }: Incoming,
  { isRepeated }: SlackRequest,
  { person }: Actor["identity"],
  { taskId, executionId }: TaskValue,
): Promise<boolean> {
  if (!isRepeated) return false;
  const task = await core.store.getTask(taskId);
  return task?.statusBy === person.id && task.executionId !== executionId;
}

export async function handleStopGroup(incoming: Incoming, request: SlackRequest): Promise<void> {
  await request.ack.send();
  const groupId = readGroupValue(valueIn(request));
  if (groupId === undefined) return sayOldButton(incoming, request);
  const act = { action: "request.refused", subject: groupId };
  await actAsPerson(incoming, request, act, async ({ identity, locale, place }) => {
    requirePerson(identity, "operator");
    await stopGroup(incoming.core, groupId);
    await answer(incoming, request, notice(DOOR_TEXTS[locale].stopping), place);
  });
}

export async function setStatus(
  incoming: Incoming,
  identity: Actor["identity"],
  value: TaskValue,
  change: { readonly status: SettableStatus; readonly reason?: string },
): Promise<void> {
  await requireNewest(incoming, value);
  await changeTaskStatus(incoming.core, identity, { taskId: value.taskId, ...change });
}

async function onTask(
  incoming: Incoming,
  request: SlackRequest,
  tried: string,
  work: (actor: Actor, value: TaskValue) => Promise<void>,
): Promise<void> {
  await request.ack.send();
  const value = readTaskValue(valueIn(request));
  if (!value) return sayOldButton(incoming, request);
  const { taskId } = value;
  const act = { action: "request.refused", subject: `${tried} ${taskId}`, taskId };
  await actAsPerson(incoming, request, act, (actor) => work(actor, value));
}

async function requireNewest({ core }: Incoming, { executionId }: TaskValue): Promise<void> {
  if (executionId !== null) await requireNewestExecution(core.store, executionId);
}
