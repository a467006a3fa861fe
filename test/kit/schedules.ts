import type { Schedule, ScheduleRun } from "../../src/domain/schedules/schedule.ts";
import { NOON } from "./builders.ts";

export function aSchedule(over: Partial<Schedule> = {}): Schedule {
  return {
    id: "sch-01",
    name: "週報",
    request: "今週の週報を書いて",
    template: null,
    priority: null,
    workingDirectory: "/",
    door: "terminal",
    cron: "0 9 * * 1",
    timeZone: "Asia/Tokyo",
    missed: "run-once",
    overlap: "skip",
    status: "active",
    pausedBy: null,
    pausedReason: null,
    requester: "local",
    nextAt: NOON + 60_000,
    queuedAt: null,
    createdAt: NOON,
    updatedAt: NOON,
    version: 1,
    ...over,
  };
}

export function aScheduleRun(over: Partial<ScheduleRun> = {}): ScheduleRun {
  return {
    scheduleId: "sch-01",
    plannedAt: NOON,
    isManual: false,
    status: "started",
    count: 1,
    firstPlannedAt: NOON,
    taskId: "task-01",
    reason: null,
    at: NOON,
    ...over,
  };
}
