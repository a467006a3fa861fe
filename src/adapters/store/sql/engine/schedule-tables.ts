import type { Generated } from "kysely";
import type { ScheduleId, TaskId } from "../../../../domain/ids.ts";
import type { Schedule, ScheduleRun } from "../../../../domain/schedules/schedule.ts";
import type { Flag } from "./tables.ts";

export type ScheduleTables = { schedules: ScheduleTable; schedule_runs: ScheduleRunTable };

export type ScheduleTable = {
  /** Order of insertion. */
  seq: Generated<number>;
  id: ScheduleId;
  name: string;
  request: string;
  /** JSON. */
  template: string | null;
  priority: Schedule["priority"];
  working_directory: string;
  door: Schedule["door"];
  cron: string;
  time_zone: string;
  missed: Schedule["missed"];
  overlap: Schedule["overlap"];
  status: Schedule["status"];
  paused_by: string | null;
  paused_reason: Schedule["pausedReason"];
  requester: string;
  next_at: number | null;
  queued_at: number | null;
  created_at: number;
  updated_at: number;
  version: number;
};

export type ScheduleRunTable = {
  /** Order of insertion. */
  seq: Generated<number>;
  schedule_id: ScheduleId;
  planned_at: number;
  is_manual: Flag;
  status: ScheduleRun["status"];
  count: number;
  first_planned_at: number;
  task_id: TaskId | null;
  reason: string | null;
  at: number;
};
