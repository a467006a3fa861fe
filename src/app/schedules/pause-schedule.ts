import { nextTime } from "../../domain/schedules/cron.ts";
import { applyToSchedule, type Schedule, type SelfPause } from "../../domain/schedules/schedule.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import { actorOf, requesterOf } from "../people/require-person.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { requireNoAgent } from "../tasks/create-task.ts";
import { requireSchedule, requireVersion } from "./require-schedule.ts";
import { runFacts, scheduleFacts } from "./schedule-event.ts";

export type PauseSchedule = {
  readonly scheduleId: string;
  /** The version that the person saw. */
  readonly version?: number;
};

export async function pauseSchedule(
  core: Core,
  identity: Identity,
  { scheduleId, version }: PauseSchedule,
): Promise<Schedule> {
  requireNoAgent(identity);
  requesterOf(core, identity);
  return core.store.transaction(async (unit) => {
    const before = await requireSchedule(unit, scheduleId);
    requireVersion(before, version);
    return pauseInUnit(core, unit, before, actorOf(identity), null);
  });
}

/** With a reason the schedule pauses itself, and `by` is `system`. */
export async function pauseInUnit(
  core: Core,
  unit: UnitOfWork,
  before: Schedule,
  by: string,
  pausedReason: SelfPause | null,
): Promise<Schedule> {
  const now = core.clock.now();
  const change = { pausedBy: by, pausedReason, nextAt: null, queuedAt: null };
  const paused = await unit.updateSchedule(applyToSchedule(before, "paused", now, change), before);
  if (before.queuedAt !== null) await dropQueued(unit, paused, before.queuedAt, now);
  await recordAudit(core, unit, {
    actor: by,
    action: "schedule.paused",
    subject: paused.id,
    data: { reason: pausedReason },
  });
  await unit.emit({ type: "schedule:updated", ...scheduleFacts(paused, now) });
  return paused;
}

/** The queued planned time starts no task any more. */
export async function dropQueued(
  unit: UnitOfWork,
  schedule: Schedule,
  queuedAt: number,
  at: number,
): Promise<void> {
  const queued = await unit.getScheduleRun(schedule.id, queuedAt);
  if (!queued) return;
  const dropped = { ...queued, status: "skipped_overlap", at } as const;
  await unit.updateScheduleRun(dropped);
  await unit.emit({ type: "schedule:ran", ...runFacts(schedule, dropped) });
}

/**
 * Planned times during the pause are not missed: the next one is after now. If the schedule had
 * paused itself because of its requester, the person who resumes it takes it over.
 */
export async function resumeSchedule(
  core: Core,
  identity: Identity,
  { scheduleId, version }: PauseSchedule,
): Promise<Schedule> {
  requireNoAgent(identity);
  const person = requesterOf(core, identity);
  return core.store.transaction(async (unit) => {
    const before = await requireSchedule(unit, scheduleId);
    requireVersion(before, version);
    const now = core.clock.now();
    const next = applyToSchedule(before, "resumed", now, {
      pausedBy: null,
      pausedReason: null,
      requester: before.pausedReason === null ? before.requester : person,
      nextAt: nextTime(before.cron, before.timeZone, now),
    });
    const resumed = await unit.updateSchedule(next, before);
    await recordAudit(core, unit, {
      actor: actorOf(identity),
      action: "schedule.resumed",
      subject: resumed.id,
      data: { requester: resumed.requester },
    });
    await unit.emit({ type: "schedule:updated", ...scheduleFacts(resumed, now) });
    return resumed;
  });
}
