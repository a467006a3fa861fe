import type { ScheduleId, TaskId } from "../ids.ts";
import type { Locale } from "../locale.ts";
import type { TaskDoor, TaskPriority } from "../tasks/task.ts";
import { nextState, type Transitions } from "../transition.ts";

export const SCHEDULE_STATUSES = ["active", "paused"] as const;
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];

export const SCHEDULE_EVENTS = ["paused", "resumed", "changed", "advanced", "run"] as const;
export type ScheduleEvent = (typeof SCHEDULE_EVENTS)[number];

/**
 * `advanced`: a planned time was handled and the next one is stored. `run`: a person started a task
 * at once, which a paused schedule allows too.
 */
export const SCHEDULE_TRANSITIONS: Transitions<ScheduleStatus, ScheduleEvent> = {
  active: { paused: "paused", changed: "active", advanced: "active", run: "active" },
  paused: { resumed: "active", changed: "paused", run: "paused" },
};

/** What to do with planned times at which no daemon ran. */
export const MISSED_POLICIES = ["skip", "run-once", "run-all"] as const;
export type MissedPolicy = (typeof MISSED_POLICIES)[number];

/** What to do at a planned time while an earlier task of the schedule is not over. */
export const OVERLAP_POLICIES = ["skip", "queue", "allow"] as const;
export type OverlapPolicy = (typeof OVERLAP_POLICIES)[number];

/** Why a schedule paused itself; other pauses are by a person. */
export const SELF_PAUSES = ["requester_gone", "requester_not_operator"] as const;
export type SelfPause = (typeof SELF_PAUSES)[number];

/** A template by its id, with the values that a person filled in. */
export type ScheduleTemplate = {
  readonly id: string;
  readonly values: Readonly<Record<string, string>>;
  /** The language of the person, in which the texts are read. */
  readonly locale: Locale;
};

/** Requests the same task again and again. */
export type Schedule = {
  readonly id: ScheduleId;
  readonly name: string;
  /** The request of each task, word for word. With a template: as it was read last. */
  readonly request: string;
  /** Each planned time reads the template again; null: the request stays as it is. */
  readonly template: ScheduleTemplate | null;
  /** null: the analyst of each task chooses one. */
  readonly priority: TaskPriority | null;
  readonly workingDirectory: string;
  readonly door: TaskDoor;
  /** Five fields. */
  readonly cron: string;
  /** A name of the IANA database. */
  readonly timeZone: string;
  readonly missed: MissedPolicy;
  readonly overlap: OverlapPolicy;
  readonly status: ScheduleStatus;
  /** The person who paused it; `system`: it paused itself. null: it is active. */
  readonly pausedBy: string | null;
  /** Set if it paused itself. */
  readonly pausedReason: SelfPause | null;
  /** The person who created it or changed it last; its tasks are requested by this person. */
  readonly requester: string;
  /** The next planned time; null: it is paused. */
  readonly nextAt: number | null;
  /** A planned time that waits until the task before it is over. */
  readonly queuedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
};

export const RUN_STATUSES = [
  "started",
  "queued",
  "skipped_missed",
  "skipped_overlap",
  "failed",
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** What happened at a planned time. */
export type ScheduleRun = {
  readonly scheduleId: ScheduleId;
  readonly plannedAt: number;
  /** A person started it; `plannedAt` is the time of the request. */
  readonly isManual: boolean;
  readonly status: RunStatus;
  /** Missed times are recorded together: this many, from `firstPlannedAt` to `plannedAt`. */
  readonly count: number;
  readonly firstPlannedAt: number;
  readonly taskId: TaskId | null;
  /** Why it failed. */
  readonly reason: string | null;
  readonly at: number;
};

export const MAX_SCHEDULES = 200;
export const MAX_SCHEDULE_NAME_CHARS = 100;
/** Also with `allow`: beyond this, planned times are skipped. */
export const MAX_OPEN_TASKS = 20;

export function applyToSchedule(
  schedule: Schedule,
  event: ScheduleEvent,
  now: number,
  changes: Partial<Schedule> = {},
): Schedule {
  const status = nextState(
    SCHEDULE_TRANSITIONS,
    { en: "The schedule", ja: "スケジュール" },
    schedule.status,
    event,
  );
  return { ...schedule, ...changes, status, updatedAt: now };
}
