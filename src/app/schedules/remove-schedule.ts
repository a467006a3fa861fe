import type { Core, Identity } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import { actorOf, requesterOf } from "../people/require-person.ts";
import { requireNoAgent } from "../tasks/create-task.ts";
import { auditedFields } from "./audited-fields.ts";
import type { PauseSchedule } from "./pause-schedule.ts";
import { requireSchedule, requireVersion } from "./require-schedule.ts";
import { scheduleFacts } from "./schedule-event.ts";

/** Its tasks stay and go on. */
export async function removeSchedule(
  core: Core,
  identity: Identity,
  { scheduleId, version }: PauseSchedule,
): Promise<void> {
  requireNoAgent(identity);
  requesterOf(core, identity);
  await core.store.transaction(async (unit) => {
    const schedule = await requireSchedule(unit, scheduleId);
    requireVersion(schedule, version);
    await unit.deleteSchedule(schedule);
    await recordAudit(core, unit, {
      actor: actorOf(identity),
      action: "schedule.removed",
      subject: schedule.id,
      data: auditedFields(core, schedule),
    });
    await unit.emit({
      type: "schedule:removed",
      ...scheduleFacts(schedule, core.clock.now()),
    });
  });
}
