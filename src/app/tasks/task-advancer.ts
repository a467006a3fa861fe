import type { TaskId } from "../../domain/ids.ts";
import { isFinal, type Task } from "../../domain/tasks/task.ts";
import type { Core } from "../core.ts";
import { closeTaskGroups, listTasksToClose } from "./close-task-groups.ts";
import { advanceDraft } from "./drafting/advance-draft.ts";
import { advanceExecution } from "./execution/advance-execution.ts";

const RETRY_MS = 1_000;

export type TaskAdvancer = {
  readonly advanceSoon: (taskId: TaskId) => void;
  /** Resolves when no task is being advanced. */
  idle(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Reads a task's rows and does what is next, once at a time per task; requests during a pass are
 * coalesced into one more pass. A pass that fails is retried until it succeeds.
 */
export function createTaskAdvancer(core: () => Core): TaskAdvancer {
  const running = new Map<TaskId, Promise<void>>();
  const wanted = new Set<TaskId>();
  const retries = new Map<TaskId, NodeJS.Timeout>();
  const closing = new AbortController();

  async function runPasses(taskId: TaskId): Promise<void> {
    while (wanted.delete(taskId) && !closing.signal.aborted) await advanceTask(core(), taskId);
  }

  function retryLater(taskId: TaskId, error: unknown): void {
    core().log.error("Advancing a task failed; retrying.", { taskId, error: String(error) });
    if (closing.signal.aborted) return;
    clearTimeout(retries.get(taskId));
    retries.set(taskId, setTimeout(() => advanceSoon(taskId), RETRY_MS).unref());
  }

  function advanceSoon(taskId: TaskId): void {
    if (closing.signal.aborted) return;
    wanted.add(taskId);
    if (running.has(taskId)) return;
    clearTimeout(retries.get(taskId));
    retries.delete(taskId);
    const run = runPasses(taskId)
      .catch((error: unknown) => retryLater(taskId, error))
      .finally(() => {
        running.delete(taskId);
        if (wanted.has(taskId) && !retries.has(taskId)) advanceSoon(taskId);
      });
    running.set(taskId, run);
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.all(running.values());
  }

  return {
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

async function advanceTask(core: Core, taskId: TaskId): Promise<void> {
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
