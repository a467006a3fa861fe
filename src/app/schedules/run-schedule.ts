import { applyToSchedule } from "../../domain/schedules/schedule.ts";
import type { Task } from "../../domain/tasks/task.ts";
import type { Core, Identity } from "../core.ts";
import { createTask } from "../tasks/create-task.ts";
import { lastRequest, requestOfSchedule } from "./read-template.ts";
import { requireSchedule } from "./require-schedule.ts";
import { runFacts } from "./schedule-event.ts";

/** Requests the task now, also if the schedule is paused or an earlier task is not over. */
export async function runSchedule(
  core: Core,
  identity: Identity,
  scheduleId: string,
): Promise<Task> {
  const schedule = await requireSchedule(core.store, scheduleId);
  const { id, door, workingDirectory } = schedule;
  const { request, priority } = await requestOfSchedule(core, schedule);
  return createTask(core, identity, {
    request,
    door,
    scheduleId: id,
    workingDirectory,
    ...(priority && { priority }),
    async also(unit, task) {
      const before = await requireSchedule(unit, id);
      const now = core.clock.now();
      // The new version makes a concurrent start by the clock look at the open tasks again.
      const ran = applyToSchedule(before, "run", now, lastRequest(before, request));
      const stored = await unit.updateSchedule(ran, before);
      const run = {
        scheduleId: id,
        plannedAt: now,
        firstPlannedAt: now,
        count: 1,
        isManual: true,
        status: "started",
        taskId: task.id,
        reason: null,
        at: now,
      } as const;
      await unit.insertScheduleRun(run);
      await unit.emit({ type: "schedule:ran", ...runFacts(stored, run) });
    },
  });
}
