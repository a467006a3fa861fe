import type { AgentId } from "../../domain/ids.ts";
import { LOCAL_PERSON } from "../../domain/people/person.ts";
import { Refusal } from "../../domain/refusal.ts";
import { nextTaskStatus, type Task, type TaskEvent } from "../../domain/tasks/task.ts";
import type { Core, Identity } from "../core.ts";
import type { CallInFlight } from "../gateway/calls-in-flight.ts";
import { requirePerson } from "../people/require-person.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { blockTask, type InterruptedBy } from "./interrupt/block-task.ts";
import { cancelTask } from "./interrupt/cancel-task.ts";
import { findAffected, NONE_AFFECTED } from "./interrupt/interrupt-agents.ts";
import type { TaskChange } from "./interrupt/interrupt-task.ts";
import { unblockTask } from "./interrupt/unblock-task.ts";
import { requireTask } from "./require-task.ts";
import { requireSeen } from "./retry-task.ts";

const MAX_REASON_CHARS = 2_000;

/** What a task can be set to by hand. */
export const SETTABLE_STATUSES = ["blocked", "in_progress", "cancelled"] as const;
export type SettableStatus = (typeof SETTABLE_STATUSES)[number];

export type ChangeTaskStatus = {
  readonly taskId: string;
  readonly status: SettableStatus;
  readonly reason?: string;
  /** Of the task as the person saw it. */
  readonly version?: number;
  /** Only says what would be stopped. */
  readonly dryRun?: boolean;
};

export type TaskStatusChanged = {
  readonly task: Task;
  /** Every agent that works for it and is to stop. */
  readonly stopping: readonly AgentId[];
  /** Calls of upstream tools that were under way. */
  readonly cancelledCalls: readonly Pick<CallInFlight, "server" | "tool" | "agentId">[];
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
  const by = { by: personWho(core, identity), reason: cleanReason(input.reason) };
  return core.store.transaction(async (unit) => {
    const task = await requireTask(unit, input.taskId);
    const isThere = task.status === input.status;
    if (!isThere) requireSeen(task, input.version);
    const isOnlyLooked = isThere || input.dryRun === true;
    const change = isOnlyLooked
      ? await lookAt(core, unit, task, input.status)
      : await changeStatus(core, unit, task, input.status, by);
    if (!isOnlyLooked) unit.afterCommit(() => carryOut(core, identity, change));
    return {
      task: change.task,
      stopping: change.stopping,
      cancelledCalls: change.calls.map(({ server, tool, agentId }) => ({ server, tool, agentId })),
    };
  });
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

/** What the change would stop, or is stopping already; writes nothing. */
async function lookAt(
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

/** After the commit: a call that was let through before it is among those in flight. */
function carryOut(core: Core, identity: Identity, { task, stopping }: TaskChange): void {
  for (const { abort } of core.calls.ofAgents(new Set(stopping))) abort.abort();
  // A client that unblocks the task may bring keys that were lost with an earlier daemon.
  core.clientKeys.remember(task.id, { ...core.clientKeys.of(task.id), ...identity.keys });
}

/** The id of the person; without sign-in there is only one, whichever client is used. */
function personWho(core: Pick<Core, "people">, identity: Identity): string {
  const isLocal = identity.kind === "client" && !core.people.isEnabled;
  return isLocal ? LOCAL_PERSON.id : requirePerson(identity, "operator").id;
}

function cleanReason(given: string | undefined): string | null {
  const reason = given?.trim() ?? "";
  if (reason.length <= MAX_REASON_CHARS) return reason || null;
  throw new Refusal(
    "INVALID_ARGUMENTS",
    `The reason has ${reason.length} characters; at most ${MAX_REASON_CHARS} fit.`,
    "Shorten it; agents read it as it is.",
  );
}
