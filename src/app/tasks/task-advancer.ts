import { isFinal, type Task } from "../../domain/tasks/task.ts";
import type { Core } from "../core.ts";
import { closeTaskGroups, listTasksToClose } from "./close-task-groups.ts";
import { advanceDraft } from "./drafting/advance-draft.ts";
import { advanceExecution } from "./execution/advance-execution.ts";

const RETRY_MS = 1_000;

export type TaskAdvancer = {
  /** Resolves after a pass that began after the call; rejects if it failed. */
  readonly advance: (taskId: string) => Promise<void>;
  /** Like `advance`, but returns at once; a pass that fails is retried until it succeeds. */
  readonly advanceSoon: (taskId: string) => void;
  /** Resolves when no task is being advanced. */
  idle(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Reads a task's rows and does what is next, once at a time per task; requests during a pass are
 * coalesced into one more pass.
 */
export function createTaskAdvancer(core: () => Core): TaskAdvancer {
  const running = new Map<string, Promise<void>>();
  /** The pass after the one that runs. */
  const next = new Map<string, Promise<void>>();
  const retries = new Map<string, NodeJS.Timeout>();
  /** Passes that `advanceSoon` retries. */
  const followed = new WeakSet<Promise<void>>();
  const closing = new AbortController();

  async function pass(taskId: string): Promise<void> {
    if (closing.signal.aborted) throw new Error("The daemon stops.");
    await advanceTask(core(), taskId);
  }
  function begin(taskId: string): Promise<void> {
    next.delete(taskId);
    const begun = pass(taskId).finally(() => running.delete(taskId));
    running.set(taskId, begun);
    return begun;
  }
  function advance(taskId: string): Promise<void> {
    const waiting = next.get(taskId);
    if (waiting) return waiting;
    const current = running.get(taskId);
    if (!current) return begin(taskId);
    const after = current.then(
      () => begin(taskId),
      () => begin(taskId),
    );
    next.set(taskId, after);
    return after;
  }

  function retryLater(taskId: string, error: unknown): void {
    if (closing.signal.aborted) return;
    core().log.error("Advancing a task failed; retrying.", { taskId, error: String(error) });
    clearTimeout(retries.get(taskId));
    retries.set(taskId, setTimeout(() => advanceSoon(taskId), RETRY_MS).unref());
  }

  function advanceSoon(taskId: string): void {
    if (closing.signal.aborted) return;
    clearTimeout(retries.get(taskId));
    retries.delete(taskId);
    const advanced = advance(taskId);
    if (followed.has(advanced)) return;
    followed.add(advanced);
    advanced.catch((error: unknown) => retryLater(taskId, error));
  }

  async function idle(): Promise<void> {
    while (running.size + next.size > 0) {
      await Promise.allSettled([...running.values(), ...next.values()]);
    }
  }

  return {
    advance,
    advanceSoon,
    idle,
    async close() {
      closing.abort();
      for (const timer of retries.values()) clearTimeout(timer);
      await idle();
    },
  };
}

/** Continues, at the start of the daemon, every task that an earlier daemon left unfinished. */
export async function resumeTasks(core: Core): Promise<void> {
  const due = [...(await core.store.listUnfinishedTasks()), ...(await listTasksToClose(core))];
  for (const id of new Set(due.map((task) => task.id))) core.advanceSoon(id);
}

async function advanceTask(core: Core, taskId: string): Promise<void> {
  const task = await core.store.getTask(taskId);
  if (!task) return;
  switch (task.status) {
    case "analyzing":
    case "planning":
    case "designing":
      return advanceDraft(core, task);
    case "awaiting_prompt_approval":
    case "awaiting_process_approval":
      return;
    case "in_progress":
    case "blocked":
    case "completed":
    case "failed":
    case "cancelled":
      return advanceExecutionAndClose(core, task);
  }
}

/** Runs for tasks that are over, too: an interrupted executor may not have reported yet. */
async function advanceExecutionAndClose(core: Core, task: Task): Promise<void> {
  await advanceExecution(core, task);
  if (!isFinal(task)) return;
  core.clientKeys.forget(task.id);
  await closeTaskGroups(core, task);
}
