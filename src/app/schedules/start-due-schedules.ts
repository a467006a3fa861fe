import { Refusal } from "../../domain/refusal.ts";
import { planDue, timesBefore } from "../../domain/schedules/plan-due.ts";
import { applyToSchedule, type Schedule } from "../../domain/schedules/schedule.ts";
import type { Core } from "../core.ts";
import { recordSkipped, startPlanned, startQueued } from "./start-planned.ts";

/** The most steps for one schedule in one pass; the next pass continues. */
const MAX_STEPS = 50;
/** How many planned times are looked up after the clock was set back. */
const MAX_REWOUND = 100;

/** Handles every planned time that has come. Returns how many schedules failed; these stay due. */
export async function startDueSchedules(core: Core): Promise<number> {
  let failed = 0;
  for (const { id, status } of await core.store.listSchedules()) {
    if (status !== "active") continue;
    try {
      await startDue(core, id);
    } catch (error) {
      failed++;
      // A person changed or ran the schedule concurrently: read it again.
      if (error instanceof Refusal && error.code === "VERSION_CONFLICT") continue;
      core.log.error("Starting the task of a schedule failed; retrying.", {
        scheduleId: id,
        error: String(error),
      });
    }
  }
  return failed;
}

/** One schedule after the other isolates failures. */
async function startDue(core: Core, id: string): Promise<void> {
  const found = await core.store.getSchedule(id);
  if (found) await startQueued(core, found);
  for (let step = 0; step < MAX_STEPS; step++) {
    const schedule = await core.store.getSchedule(id);
    const now = core.clock.now();
    if (schedule?.status !== "active" || schedule.nextAt === null) return;
    const { nextAt } = schedule;
    if (nextAt > now) return step === 0 ? rewind(core, schedule, now) : undefined;
    await handleNext(core, schedule, nextAt, now);
  }
}

async function handleNext(core: Core, schedule: Schedule, planned: number, now: number) {
  const step = planDue({ ...schedule, nextAt: planned }, now);
  if (step.kind === "start") return startPlanned(core, schedule, step);
  return recordSkipped(core, schedule, step);
}

/**
 * After a wrong clock was set back, the stored time may be far in the future. The first planned time
 * after now that has not been handled replaces it.
 */
async function rewind(core: Core, schedule: Schedule, now: number): Promise<void> {
  for (const time of timesBefore(schedule, now, MAX_REWOUND)) {
    if (await core.store.getScheduleRun(schedule.id, time)) continue;
    await core.store.transaction(async (unit) => {
      const next = applyToSchedule(schedule, "advanced", now, { nextAt: time });
      await unit.updateSchedule(next, schedule);
    });
    return;
  }
}
