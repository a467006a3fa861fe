import { LOCAL_PERSON, mayActAs, type Person } from "../../domain/people/person.ts";
import { Refusal, type RefusalCode } from "../../domain/refusal.ts";
import type { SkipStep } from "../../domain/schedules/plan-due.ts";
import {
  applyToSchedule,
  MAX_OPEN_TASKS,
  type Schedule,
  type ScheduleRun,
  type SelfPause,
} from "../../domain/schedules/schedule.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { createTask } from "../tasks/create-task.ts";
import { pauseInUnit } from "./pause-schedule.ts";
import { lastRequest, requestOfSchedule } from "./read-template.ts";
import { runFacts } from "./schedule-event.ts";

/** A planned time, and the one after it. */
export type Planned = { readonly plannedAt: number; readonly nextAt: number | null };

/** Refusals that the next planned time would get again; others are retried. */
const LASTING: readonly RefusalCode[] = [
  "WORKING_DIRECTORY_NOT_FOUND",
  "INVALID_ARGUMENTS",
  // The file of its template is gone or wrong, needs a server, or is in a folder without trust.
  "TEMPLATE_NOT_FOUND",
  "UPSTREAM_UNAVAILABLE",
  "NOT_ALLOWED",
];

/**
 * Handles one planned time: requests the task, queues it or skips it. The row of the planned time, the
 * task and the next planned time commit together.
 */
export async function startPlanned(core: Core, schedule: Schedule, planned: Planned) {
  const { plannedAt, nextAt } = planned;
  const person = requesterNow(core, schedule);
  if (typeof person === "string") return pauseItself(core, schedule, person);
  const open = await core.store.countOpenTasksOfSchedule(schedule.id);
  if (isHeldUp(schedule, open)) {
    const isQueued = schedule.overlap === "queue" && schedule.queuedAt === null;
    const run = runOf(core, schedule, plannedAt, isQueued ? "queued" : "skipped_overlap");
    return recordRun(core, schedule, run, { nextAt, ...(isQueued && { queuedAt: plannedAt }) });
  }
  return request(core, schedule, person, plannedAt, async (unit, run) => {
    if (!(await unit.insertScheduleRun(run))) throw new AlreadyHandled();
    return applyToSchedule(schedule, "advanced", run.at, { nextAt });
  }).catch((error: unknown) => {
    if (!(error instanceof AlreadyHandled)) throw error;
    return skipHandled(core, schedule, nextAt);
  });
}

/** Requests the task of a queued planned time once the tasks before it are over. */
export async function startQueued(core: Core, schedule: Schedule): Promise<void> {
  const { queuedAt } = schedule;
  if (schedule.status !== "active" || queuedAt === null) return;
  if ((await core.store.countOpenTasksOfSchedule(schedule.id)) > 0) return;
  const person = requesterNow(core, schedule);
  if (typeof person === "string") return pauseItself(core, schedule, person);
  return request(core, schedule, person, queuedAt, async (unit, run) => {
    await unit.updateScheduleRun(run);
    return applyToSchedule(schedule, "advanced", run.at, { queuedAt: null });
  });
}

class AlreadyHandled extends Error {}

function isHeldUp({ overlap }: Schedule, open: number): boolean {
  return overlap === "allow" ? open >= MAX_OPEN_TASKS : open > 0;
}

/** The requester, or why the schedule cannot go on. */
function requesterNow({ people }: Core, { requester }: Schedule): Person | SelfPause {
  const known = people.isEnabled
    ? people.find(requester)
    : requester === LOCAL_PERSON.id
      ? LOCAL_PERSON
      : undefined;
  if (!known) return "requester_gone";
  return mayActAs(known, "operator") ? known : "requester_not_operator";
}

type Store = (unit: UnitOfWork, run: ScheduleRun) => Promise<Schedule>;

async function request(
  core: Core,
  schedule: Schedule,
  person: Person,
  plannedAt: number,
  store: Store,
): Promise<void> {
  try {
    const { request: text, priority } = await requestOfSchedule(core, schedule);
    await createTask(
      core,
      { kind: "person", person },
      {
        request: text,
        door: schedule.door,
        scheduleId: schedule.id,
        workingDirectory: schedule.workingDirectory,
        ...(priority && { priority }),
        async also(unit, task) {
          const run = { ...runOf(core, schedule, plannedAt, "started"), taskId: task.id };
          const next = { ...(await store(unit, run)), ...lastRequest(schedule, text) };
          const stored = await unit.updateSchedule(next, schedule);
          await unit.emit({ type: "schedule:ran", ...runFacts(stored, run) });
        },
      },
    );
  } catch (error) {
    if (!(error instanceof Refusal) || !LASTING.includes(error.code)) throw error;
    const { message } = error;
    await core.store.transaction(async (unit) => {
      const run = { ...runOf(core, schedule, plannedAt, "failed"), reason: message };
      const stored = await unit.updateSchedule(await store(unit, run), schedule);
      await unit.emit({ type: "schedule:ran", ...runFacts(stored, run) });
    });
  }
}

function runOf(
  { clock }: Core,
  { id }: Schedule,
  plannedAt: number,
  status: ScheduleRun["status"],
): ScheduleRun {
  return {
    scheduleId: id,
    plannedAt,
    firstPlannedAt: plannedAt,
    count: 1,
    isManual: false,
    status,
    taskId: null,
    reason: null,
    at: clock.now(),
  };
}

/** Records planned times that start no task, and moves on. */
async function recordRun(
  core: Core,
  schedule: Schedule,
  run: ScheduleRun,
  changes: Partial<Schedule>,
): Promise<void> {
  await core.store.transaction(async (unit) => {
    const next = applyToSchedule(schedule, "advanced", run.at, changes);
    const stored = await unit.updateSchedule(next, schedule);
    if (!(await unit.insertScheduleRun(run))) return;
    await unit.emit({ type: "schedule:ran", ...runFacts(stored, run) });
  });
}

/** Records missed times together. */
export function recordSkipped(core: Core, schedule: Schedule, step: SkipStep): Promise<void> {
  const run = {
    ...runOf(core, schedule, step.last, "skipped_missed"),
    firstPlannedAt: step.first,
    count: step.count,
  };
  return recordRun(core, schedule, run, { nextAt: step.nextAt });
}

/** The clock was set back and this planned time was handled before. */
async function skipHandled(core: Core, schedule: Schedule, nextAt: number | null): Promise<void> {
  await core.store.transaction(async (unit) => {
    const next = applyToSchedule(schedule, "advanced", core.clock.now(), { nextAt });
    await unit.updateSchedule(next, schedule);
  });
}

async function pauseItself(core: Core, schedule: Schedule, why: SelfPause): Promise<void> {
  core.log.warn("A schedule paused itself.", { scheduleId: schedule.id, why });
  await core.store.transaction((unit) => pauseInUnit(core, unit, schedule, "system", why));
}
