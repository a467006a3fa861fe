import type { Schedule } from "../../domain/schedules/schedule.ts";
import type { Core } from "../core.ts";
import { startOf } from "../tasks/create-task.ts";

/** What the audit records of a schedule: enough to prove what it requested. */
export function auditedFields({ tokens }: Pick<Core, "tokens">, schedule: Schedule) {
  return {
    name: schedule.name,
    request: startOf(schedule.request),
    requestHash: tokens.hash(schedule.request),
    ...(schedule.template && {
      template: schedule.template.id,
      valuesHash: tokens.hash(JSON.stringify(schedule.template.values)),
    }),
    requester: schedule.requester,
    cron: schedule.cron,
    timeZone: schedule.timeZone,
    missed: schedule.missed,
    overlap: schedule.overlap,
    workingDirectory: schedule.workingDirectory,
  };
}
