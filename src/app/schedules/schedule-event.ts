import { isoOrNull } from "../../contract/shapes/iso.ts";
import { wireScheduleRun } from "../../contract/shapes/schedules.ts";
import type { Schedule, ScheduleRun } from "../../domain/schedules/schedule.ts";

/** The fields of every schedule event; spread them beside `type`. */
export function scheduleFacts(schedule: Schedule, at: number) {
  return {
    groupId: null,
    agentId: null,
    data: {
      scheduleId: schedule.id,
      name: schedule.name,
      status: schedule.status,
      pausedReason: schedule.pausedReason,
      requester: schedule.requester,
      nextAt: isoOrNull(schedule.nextAt),
      version: schedule.version,
    },
    at,
  };
}

export function runFacts(schedule: Schedule, run: ScheduleRun) {
  const { data, ...columns } = scheduleFacts(schedule, run.at);
  return { ...columns, taskId: run.taskId, data: { ...data, run: wireScheduleRun(run) } };
}
