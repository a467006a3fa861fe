import { dayOf } from "../domain/ids.ts";
import { applyToTask, type Task } from "../domain/tasks/task.ts";
import { removeTranscripts } from "./agents/remove-transcripts.ts";
import type { Core } from "./core.ts";
import type { UnitOfWork } from "./ports/store.ts";
import { taskFacts } from "./tasks/move-task.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** How long an idempotency key is valid. */
export const KEEP_REQUESTS_MS = DAY_MS;
const AT_A_TIME = 500;

/** Deletes history older than `history.keep_days`, in batches; returns the number of agents. */
export async function purgeHistory(core: Core, keepDays: number): Promise<number> {
  const before = core.clock.now() - keepDays * DAY_MS;
  await giveUpFailed(core, before);
  await core.store.transaction((unit) =>
    unit.deleteIdempotencyRecordsBefore(core.clock.now() - KEEP_REQUESTS_MS),
  );
  for (let purged = 0; ;) {
    const ids = await core.store.transaction((unit) => unit.purgeHistory(before, AT_A_TIME));
    await removeTranscripts(core, ids);
    purged += ids.length;
    if (ids.length === AT_A_TIME) continue;
    await core.transcripts?.removeBefore(dayOf(before));
    return purged;
  }
}

/** Cancels failed tasks that were not retried, so that their history can be deleted. */
async function giveUpFailed(core: Core, before: number): Promise<void> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await core.store.listTasks({
      statuses: ["failed"],
      limit: AT_A_TIME,
      ...(cursor && { cursor }),
    });
    for (const { id, endedAt } of page.tasks) {
      if (endedAt === null || endedAt >= before) continue;
      await core.store.transaction(async (unit) => {
        const task = await unit.getTask(id);
        if (task?.status === "failed") await giveUp(core, unit, task);
      });
    }
    cursor = page.nextCursor;
  }
}

/** Keeps the time of the failure as the end, so that the retention does not start again. */
async function giveUp(core: Core, unit: UnitOfWork, task: Task): Promise<void> {
  const now = core.clock.now();
  const changes = { statusBy: "system", statusReason: "The task was not retried." };
  const given = { ...applyToTask(task, "cancelled", now, changes), endedAt: task.endedAt };
  const updated = await unit.updateTask(given, task);
  await unit.emit({ type: "task:updated", ...taskFacts(updated, now) });
}
