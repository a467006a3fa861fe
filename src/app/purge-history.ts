import { applyToTask, type Task } from "../domain/tasks/task.ts";
import type { Core } from "./core.ts";
import type { StoredEvent, UnitOfWork } from "./ports/store.ts";
import { taskEvent } from "./tasks/move-task.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** How long a client may ask again under the same key. */
export const KEEP_REQUESTS_MS = DAY_MS;
const AT_A_TIME = 500;

/** Forgets what is older than `history.keep_days`, a little at a time; answers how many agents. */
export async function purgeHistory(core: Core, keepDays: number): Promise<number> {
  const before = core.clock.now() - keepDays * DAY_MS;
  await giveUpFailed(core, before);
  await core.store.transaction((unit) =>
    unit.deleteIdempotencyRecordsBefore(core.clock.now() - KEEP_REQUESTS_MS),
  );
  for (let purged = 0; ;) {
    const ids = await core.store.transaction((unit) => unit.purgeHistory(before, AT_A_TIME));
    await core.supervisor.removeSpool(ids);
    purged += ids.length;
    if (ids.length < AT_A_TIME) return purged;
  }
}

/** Nobody retried them in all that time: they end, and with them what is kept for a retry. */
async function giveUpFailed(core: Core, before: number): Promise<void> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await core.store.listTasks({
      statuses: ["failed"],
      limit: AT_A_TIME,
      ...(cursor && { cursor }),
    });
    for (const { id, endedAt } of page.tasks) {
      if (endedAt === null || endedAt >= before) continue;
      const events = await core.store.transaction(async (unit) => {
        const task = await unit.getTask(id);
        if (task?.status !== "failed") return [];
        return [await giveUpIn(core, unit, task)];
      });
      core.live.publish(events);
      core.advanceSoon(id);
    }
    cursor = page.nextCursor;
  }
}

/** It ended when it failed: its time is not counted anew. */
async function giveUpIn(core: Core, unit: UnitOfWork, task: Task): Promise<StoredEvent> {
  const now = core.clock.now();
  const changes = { statusBy: "system", statusReason: "Nobody retried it." };
  const given = { ...applyToTask(task, "cancelled", now, changes), endedAt: task.endedAt };
  return unit.appendEvent(taskEvent("task:updated", await unit.updateTask(given, task), now));
}
