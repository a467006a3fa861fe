import { planSkip } from "../../domain/schedules/plan-due.ts";
import { applyToSchedule, type Schedule } from "../../domain/schedules/schedule.ts";
import type { Core } from "../core.ts";
import { dropQueued } from "./pause-schedule.ts";
import { recordSkipped } from "./start-planned.ts";

/**
 * After a restore: the daemon may have handled the planned times since the backup, so none of them
 * starts a task, whatever the schedule says about missed times. Safe to repeat after a crash.
 */
export async function skipPastTimes(core: Core): Promise<void> {
  for (const found of await core.store.listSchedules()) {
    if (found.status !== "active") continue;
    const schedule = found.queuedAt === null ? found : await withoutQueued(core, found);
    const { nextAt } = schedule;
    const now = core.clock.now();
    if (nextAt === null || nextAt > now) continue;
    await recordSkipped(core, schedule, planSkip({ ...schedule, nextAt }, now));
  }
}

function withoutQueued(core: Core, schedule: Schedule): Promise<Schedule> {
  return core.store.transaction(async (unit) => {
    const now = core.clock.now();
    const next = applyToSchedule(schedule, "advanced", now, { queuedAt: null });
    const stored = await unit.updateSchedule(next, schedule);
    if (schedule.queuedAt !== null) await dropQueued(unit, stored, schedule.queuedAt, now);
    return stored;
  });
}
