import type { AgentId } from "../../domain/ids.ts";
import { LOCAL_PERSON } from "../../domain/people/person.ts";
import { Refusal } from "../../domain/refusal.ts";
import { nextTaskStatus, type Task, type TaskEvent } from "../../domain/tasks/task.ts";
import type { Core, Identity } from "../core.ts";
import type { CallInFlight } from "../gateway/calls-in-flight.ts";
import { requirePerson } from "../people/require-person.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { confirmStop } from "../servers/confirm-stop.ts";
import { blockTask, type InterruptedBy } from "./interrupt/block-task.ts";
import { cancelTask } from "./interrupt/cancel-task.ts";
import { findAffected, NONE_AFFECTED } from "./interrupt/interrupt-agents.ts";
import type { TaskChange } from "./interrupt/interrupt-task.ts";
import { unblockTask } from "./interrupt/unblock-task.ts";
import { requireTask } from "./require-task.ts";
import { requireSeen } from "./retry-task.ts";

export const MAX_REASON_CHARS = 2_000;

/** The statuses that a person can give a task. */
export const SETTABLE_STATUSES = ["blocked", "in_progress", "cancelled"] as const;
export type SettableStatus = (typeof SETTABLE_STATUSES)[number];

export type ChangeTaskStatus = {
  readonly taskId: string;
  readonly status: SettableStatus;
  readonly reason?: string;
  /** The version of the task that the person saw. */
  readonly version?: number;
  /** Only returns what would be stopped. */
  readonly dryRun?: boolean;
};

export type TaskStatusChanged = {
  readonly task: Task;
  /** Every agent of the task that has to stop. */
  readonly stopping: readonly AgentId[];
  /** Calls to upstream servers that were in flight. */
  readonly cancelledCalls: readonly Pick<CallInFlight, "server" | "tool" | "agentId">[];
  /** Calls in flight on other servers that did not confirm in time that they ended. */
  readonly unconfirmedCalls: readonly Pick<CallInFlight, "server" | "tool" | "agentId">[];
};

const EVENT_OF: Readonly<Record<SettableStatus, TaskEvent>> = {
  blocked: "blocked",
  in_progress: "unblocked",
  cancelled: "cancelled",
};

/** A person blocks, unblocks or cancels a task. Idempotent. */
export async function changeTaskStatus(
  core: Core,
  identity: Identity,
  input: ChangeTaskStatus,
): Promise<TaskStatusChanged> {
  const by = { by: personIdOf(core, identity), reason: cleanReason(input.reason) };
  const changed = await core.store.transaction(async (unit) => {
    const task = await requireTask(unit, input.taskId);
    const isAlreadySet = task.status === input.status;
    if (!isAlreadySet) requireSeen(task, input.version);
    const isReadOnly = isAlreadySet || input.dryRun === true;
    const change = isReadOnly
      ? await preview(core, unit, task, input.status)
      : await changeStatus(core, unit, task, input.status, by);
    if (!isReadOnly) unit.afterCommit(() => abortCallsAndKeepKeys(core, identity, change));
    return {
      task: change.task,
      stopping: change.stopping,
      cancelledCalls: change.calls.map(({ server, tool, agentId }) => ({ server, tool, agentId })),
    };
  });
  const isStop = input.status !== "in_progress" && input.dryRun !== true;
  return { ...changed, unconfirmedCalls: isStop ? await confirmStop(core, changed.stopping) : [] };
}

function changeStatus(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  status: SettableStatus,
  by: InterruptedBy,
): Promise<TaskChange> {
  switch (status) {
    case "blocked":
      return blockTask(core, unit, task, by);
    case "in_progress":
      return unblockTask(core, unit, task, by);
    case "cancelled":
      return cancelTask(core, unit, task, by);
  }
}

/** What the change would stop, or is already stopping; writes nothing. */
async function preview(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  status: SettableStatus,
): Promise<TaskChange> {
  if (task.status !== status) nextTaskStatus(task.status, EVENT_OF[status]);
  const { agents, calls } =
    status === "in_progress" ? NONE_AFFECTED : await findAffected(core, unit, task.id);
  const stopping = agents.map(({ id }) => id);
  return { task, stopping, calls };
}

/** Must run after the commit: only then are all calls that were forwarded before it in flight. */
function abortCallsAndKeepKeys(
  core: Core,
  identity: Identity,
  { task, stopping }: TaskChange,
): void {
  for (const { abort } of core.calls.ofAgents(new Set(stopping))) abort.abort();
  // A restart of the daemon loses keys; the client that unblocks the task may bring them again.
  core.clientKeys.remember(task.id, { ...core.clientKeys.of(task.id), ...identity.keys });
}

/** The id of the person; without sign-in every client acts for the local person. */
function personIdOf(core: Pick<Core, "people">, identity: Identity): string {
  const isLocal = identity.kind === "client" && !core.people.isEnabled;
  return isLocal ? LOCAL_PERSON.id : requirePerson(identity, "operator").id;
}

function cleanReason(given: string | undefined): string | null {
  const reason = given?.trim() ?? "";
  if (reason.length <= MAX_REASON_CHARS) return reason || null;
  throw new Refusal("INVALID_ARGUMENTS", {
    en: [
      `The reason has ${reason.length} characters; the maximum is ${MAX_REASON_CHARS}.`,
      "Shorten it.",
    ],
    ja: [
      `理由が ${reason.length} 文字あります。上限は ${MAX_REASON_CHARS} 文字です。`,
      "短くしてください。",
    ],
  });
}
