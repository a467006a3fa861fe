import type { ScheduleId } from "../../domain/ids.ts";
import type { Schedule, ScheduleRun } from "../../domain/schedules/schedule.ts";

export type ScheduleRunQuery = {
  readonly scheduleId: string;
  readonly limit: number;
  /** From the previous page; opaque. An invalid cursor is refused with INVALID_CURSOR. */
  readonly cursor?: string;
};
export type ScheduleRunPage = {
  readonly runs: readonly ScheduleRun[];
  readonly nextCursor: string | null;
};

/** Queries about schedules; their number is limited, the number of their runs is not. */
export type ScheduleQueries = {
  getSchedule(id: string): Promise<Schedule | undefined>;
  /** Newest first. */
  listSchedules(): Promise<readonly Schedule[]>;
  /** The first planned time of all schedules; undefined: there is none. */
  nextScheduleDue(): Promise<number | undefined>;
  /** Newest first. */
  listScheduleRuns(query: ScheduleRunQuery): Promise<ScheduleRunPage>;
  /** The newest run of each schedule that has one. */
  listLastScheduleRuns(): Promise<readonly ScheduleRun[]>;
  /** What happened at a planned time; a person's own runs do not count. */
  getScheduleRun(scheduleId: ScheduleId, plannedAt: number): Promise<ScheduleRun | undefined>;
  /** Tasks of the schedule that are neither completed nor failed nor cancelled. */
  countOpenTasksOfSchedule(scheduleId: ScheduleId): Promise<number>;
};

export type ScheduleChanges = {
  insertSchedule(schedule: Schedule): Promise<void>;
  /** Refuses with VERSION_CONFLICT unless the row has the expected version. */
  updateSchedule(next: Schedule, expected: Schedule): Promise<Schedule>;
  /** With its runs; its tasks stay. Refuses with VERSION_CONFLICT like `updateSchedule`. */
  deleteSchedule(expected: Schedule): Promise<void>;
  /** False when the planned time has been recorded before. */
  insertScheduleRun(run: ScheduleRun): Promise<boolean>;
  /** Replaces the run of the same planned time. */
  updateScheduleRun(run: ScheduleRun): Promise<void>;
};
