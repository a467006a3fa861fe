import type { AgentId } from "../../domain/ids.ts";
import { LOCAL_PERSON } from "../../domain/people/person.ts";
import { Refusal } from "../../domain/refusal.ts";
import { nextTaskStatus, type Task, type TaskEvent } from "../../domain/tasks/task.ts";
import { signalFor } from "../agents/stop-agent.ts";
import type { Core, Identity } from "../core.ts";
import type { CallInFlight } from "../gateway/calls-in-flight.ts";
import { requirePerson } from "../people/require-person.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { blockTaskIn, type By } from "./interrupt/block-task.ts";
import { cancelTaskIn } from "./interrupt/cancel-task.ts";
import { findConcerned, NOBODY } from "./interrupt/interrupt-agents.ts";
import type { TaskChange } from "./interrupt/interrupt-task.ts";
import { unblockTaskIn } from "./interrupt/unblock-task.ts";
import { watchInterrupt } from "./interrupt/watch-interrupts.ts";
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
  /** Everyone who works for it and is to stop. */
  readonly stopping: readonly AgentId[];
  /** Calls of upstream tools that were under way. */
  readonly cancelledCalls: readonly Pick<CallInFlight, "server" | "tool" | "agentId">[];
};

const EVENT_OF: Readonly<Record<SettableStatus, TaskEvent>> = {
  blocked: "blocked",
  in_progress: "unblocked",
  cancelled: "cancelled",
};

/** A person stops a task, for now or for good, or lets it go on. Doing it twice changes nothing more. */
export async function changeTaskStatus(
  core: Core,
  identity: Identity,
  input: ChangeTaskStatus,
): Promise<TaskStatusChanged> {
  const by = { by: personWho(core, identity), reason: cleanReason(input.reason) };
  const { change, isChanged } = await core.store.transaction(async (unit) => {
    const task = await requireTask(unit, input.taskId);
    const isThere = task.status === input.status;
    if (!isThere) requireSeen(task, input.version);
    return isThere || input.dryRun
      ? { change: await lookAt(core, unit, task, input.status), isChanged: false }
      : { change: await changeIn(core, unit, task, input.status, by), isChanged: true };
  });
  if (isChanged) carryOut(core, identity, change);
  return {
    task: change.task,
    stopping: change.stopping,
    cancelledCalls: change.calls.map(({ server, tool, agentId }) => ({ server, tool, agentId })),
  };
}

function changeIn(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  status: SettableStatus,
  by: By,
): Promise<TaskChange> {
  switch (status) {
    case "blocked":
      return blockTaskIn(core, unit, task, by);
    case "in_progress":
      return unblockTaskIn(core, unit, task, by);
    case "cancelled":
      return cancelTaskIn(core, unit, task, by);
  }
}

/** What the change would stop, or is stopping already; nothing is written. */
async function lookAt(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  status: SettableStatus,
): Promise<TaskChange> {
  if (task.status !== status) nextTaskStatus(task.status, EVENT_OF[status]);
  const { agents, calls } =
    status === "in_progress" ? NOBODY : await findConcerned(core, unit, task.id);
  const stopping = agents.map(({ id }) => id);
  return { task, stopping, calls, events: [], notices: [], stopped: [] };
}

/** After the commit: a call that was let through before it is among those in flight. */
function carryOut(core: Core, identity: Identity, change: TaskChange): void {
  const { task, stopping, events, notices, stopped } = change;
  for (const { abort } of core.calls.ofAgents(new Set(stopping))) abort.abort();
  for (const notice of notices) watchInterrupt(core, notice);
  for (const agent of stopped) core.supervisor.stop(agent.id, signalFor(core, agent));
  // Who lets it go on may have the keys that an earlier daemon took with it.
  core.clientKeys.remember(task.id, { ...core.clientKeys.of(task.id), ...identity.keys });
  core.live.publish(events);
  core.advanceSoon(task.id);
}

/** A person who is known; without sign-in the one person there is, through whatever client. */
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
