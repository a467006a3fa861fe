import { setTimeout as sleep } from "node:timers/promises";
import type { Core } from "../../../app/core.ts";
import { runCoalesced } from "../../../base/run-coalesced.ts";
import type { EventType } from "../../../contract/events/events.ts";
import type { GroupId, TaskId } from "../../../domain/ids.ts";
import { Refusal } from "../../../domain/refusal.ts";
import { SlackCallFailed } from "../slack-api.ts";
import { mainGroupOf, storeBoards, type Boards } from "./store-boards.ts";
import { storeTaskMessages, type TaskMessages } from "./store-task-messages.ts";

/** Events come in bursts: one look at the rows for all of them. */
const PAUSE_MS = 200;
const RETRY_MS = 1_000;
const SLACK_RETRY_MS = 15_000;
/** The groups that may still be running when the daemon starts. */
const MAX_ACTIVE_GROUPS = 200;

const TASK_EVENTS = [
  "task:created",
  "task:updated",
  "execution:created",
  "execution:updated",
  "approval:requested",
  "approval:voted",
  "approval:decided",
  "approval:extended",
  "approval:expired",
  "approval:closed",
] as const satisfies readonly EventType[];

const GROUP_EVENTS = [
  "agent:created",
  "agent:status_update",
  "agent:result_reported",
  "agent:completed",
  "group:stage_advanced",
  "group:deleted",
  "magentic:iteration_started",
] as const satisfies readonly EventType[];

export type ProjectorOptions = TaskMessages &
  Boards & {
    /** There is something to send. */
    readonly onStored: () => void;
    readonly pauseMs?: number;
  };

export type Projector = {
  /** Stores its messages soon; call it also when the task gets a thread. */
  taskChanged(taskId: TaskId): void;
  groupChanged(groupId: GroupId): void;
  /** Looks at everything that is not final, and tries dead messages again. */
  resume(): Promise<void>;
  /** Resolves when all changes so far are stored. */
  idle(): Promise<void>;
  close(): Promise<void>;
};

/** Turns events of the core into messages as they should look. The rows decide, not the events. */
export function createProjector(options: ProjectorOptions): Projector {
  const { core, onStored, pauseMs = PAUSE_MS } = options;
  const tasks = new Set<TaskId>();
  const groups = new Set<GroupId>();
  const ending = new AbortController();
  let isRevival = false;

  async function attempt(work: () => Promise<boolean>, again: () => void): Promise<void> {
    if (ending.signal.aborted) return;
    try {
      if (await work()) onStored();
    } catch (error) {
      // The task or the group was deleted.
      if (ending.signal.aborted || error instanceof Refusal) return;
      // Slack does not say which workspace a token belongs to.
      const isSlackDown = error instanceof SlackCallFailed;
      const level = isSlackDown ? "debug" : "error";
      core.log[level]("Messages for Slack could not be stored.", { error: String(error) });
      setTimeout(again, isSlackDown ? SLACK_RETRY_MS : RETRY_MS).unref();
    }
  }

  async function projectAll(): Promise<void> {
    await sleep(pauseMs, undefined, { signal: ending.signal }).catch(() => undefined);
    const isRevived = isRevival;
    const [changedTasks, changedGroups] = [[...tasks], [...groups]];
    isRevival = false;
    tasks.clear();
    groups.clear();
    for (const id of changedTasks) {
      await attempt(
        () => storeTaskMessages(options, id, isRevived),
        () => taskChanged(id),
      );
    }
    // Many changed groups may belong to one board.
    const done = new Set<GroupId>();
    for (const id of changedGroups) {
      await attempt(
        () => storeBoardOf(options, id, isRevived, done),
        () => groupChanged(id),
      );
    }
  }

  const projectSoon = runCoalesced(projectAll);

  function taskChanged(taskId: TaskId): void {
    if (ending.signal.aborted) return;
    tasks.add(taskId);
    void projectSoon();
  }

  function groupChanged(groupId: GroupId): void {
    if (ending.signal.aborted || options.boards().length === 0) return;
    groups.add(groupId);
    void projectSoon();
  }

  const subscriptions = [
    core.events.on(TASK_EVENTS, (event) => {
      if (event.taskId) taskChanged(event.taskId);
    }),
    core.events.on(GROUP_EVENTS, (event) => {
      if (event.groupId !== null) groupChanged(event.groupId);
    }),
  ];

  return {
    taskChanged,
    groupChanged,
    async resume() {
      const threads = await core.store.listOpenSlackThreads();
      const unfinished = await core.store.listUnfinishedTasks();
      const open = options.boards().length === 0 ? [] : await openGroups(core);
      isRevival = true;
      for (const { taskId } of threads) taskChanged(taskId);
      for (const { id } of unfinished) taskChanged(id);
      for (const id of open) groupChanged(id);
    },
    idle: projectSoon,
    async close() {
      for (const end of subscriptions) end();
      ending.abort();
      await projectSoon();
    },
  };
}

async function storeBoardOf(
  options: Boards,
  id: GroupId,
  isRevived: boolean,
  done: Set<GroupId>,
): Promise<boolean> {
  const main = await mainGroupOf(options.core, id);
  if (!main || done.has(main.id)) return false;
  done.add(main.id);
  return storeBoards(options, main, isRevived);
}

/** Groups with a board that is not final, and groups that may still need one. */
async function openGroups({ store }: Pick<Core, "store">): Promise<readonly GroupId[]> {
  const shown = await store.listOpenSlackBoards();
  const { groups } = await store.listGroups({ view: "active", limit: MAX_ACTIVE_GROUPS });
  const ids = shown.flatMap(({ groupId }) => groupId ?? []);
  for (const { id } of groups) if ((await store.countUnsettled(id)) > 0) ids.push(id);
  return ids;
}
