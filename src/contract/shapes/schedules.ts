import { z } from "zod";
import { LOCALES } from "../../domain/locale.ts";
import {
  MISSED_POLICIES,
  OVERLAP_POLICIES,
  RUN_STATUSES,
  type Schedule,
  SCHEDULE_STATUSES,
  type ScheduleRun,
  SELF_PAUSES,
} from "../../domain/schedules/schedule.ts";
import { TASK_PRIORITIES } from "../../domain/tasks/task.ts";
import { iso, isoOrNull } from "./iso.ts";

export const scheduleRunShape = z.object({
  plannedAt: z.string(),
  manual: z.boolean().describe("A person started it"),
  status: z.enum(RUN_STATUSES),
  count: z.number().describe("How many planned times were missed, up to 1000"),
  firstPlannedAt: z.string().describe("The first of them"),
  taskId: z.string().nullable(),
  reason: z.string().nullable(),
  at: z.string(),
});
export type WireScheduleRun = z.infer<typeof scheduleRunShape>;

export const scheduleTemplateShape = z.object({
  id: z.string(),
  values: z.record(z.string(), z.string()),
  locale: z.enum(LOCALES).describe("The language in which its texts are read"),
});

export const scheduleShape = z.object({
  scheduleId: z.string(),
  name: z.string(),
  request: z.string().describe("With a template: as it was read last"),
  template: scheduleTemplateShape
    .nullable()
    .describe("Each planned time reads it again; null: the request stays as it is"),
  priority: z.enum(TASK_PRIORITIES).nullable(),
  workingDirectory: z.string(),
  cron: z.string(),
  timeZone: z.string(),
  missed: z.enum(MISSED_POLICIES),
  overlap: z.enum(OVERLAP_POLICIES),
  status: z.enum(SCHEDULE_STATUSES),
  pausedBy: z.string().nullable().describe("A person, or system: it paused itself"),
  pausedReason: z.enum(SELF_PAUSES).nullable(),
  requester: z.string().describe("The person who created it or changed it last"),
  nextAt: z.string().nullable(),
  queuedAt: z.string().nullable().describe("A planned time that waits for the task before it"),
  createdAt: z.string(),
  updatedAt: z.string(),
  version: z.number(),
  lastRun: scheduleRunShape.nullable(),
});
export type WireSchedule = z.infer<typeof scheduleShape>;

export function wireSchedule(schedule: Schedule, lastRun: ScheduleRun | undefined): WireSchedule {
  return {
    scheduleId: schedule.id,
    name: schedule.name,
    request: schedule.request,
    template: schedule.template && {
      ...schedule.template,
      values: { ...schedule.template.values },
    },
    priority: schedule.priority,
    workingDirectory: schedule.workingDirectory,
    cron: schedule.cron,
    timeZone: schedule.timeZone,
    missed: schedule.missed,
    overlap: schedule.overlap,
    status: schedule.status,
    pausedBy: schedule.pausedBy,
    pausedReason: schedule.pausedReason,
    requester: schedule.requester,
    nextAt: isoOrNull(schedule.nextAt),
    queuedAt: isoOrNull(schedule.queuedAt),
    createdAt: iso(schedule.createdAt),
    updatedAt: iso(schedule.updatedAt),
    version: schedule.version,
    lastRun: lastRun ? wireScheduleRun(lastRun) : null,
  };
}

export function wireScheduleRun(run: ScheduleRun): WireScheduleRun {
  return {
    plannedAt: iso(run.plannedAt),
    manual: run.isManual,
    status: run.status,
    count: run.count,
    firstPlannedAt: iso(run.firstPlannedAt),
    taskId: run.taskId,
    reason: run.reason,
    at: iso(run.at),
  };
}
