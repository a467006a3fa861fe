import { nextTime, requireCron } from "../../domain/schedules/cron.ts";
import {
  applyToSchedule,
  type Schedule,
  type ScheduleTemplate,
} from "../../domain/schedules/schedule.ts";
import { requireTimeZone } from "../../domain/schedules/time-zone.ts";
import type { TaskPriority } from "../../domain/tasks/task.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import { actorOf, requesterOf } from "../people/require-person.ts";
import { directoryFor, requireNoAgent } from "../tasks/create-task.ts";
import { auditedFields } from "./audited-fields.ts";
import { nameOf, requireWhat, type What } from "./create-schedule.ts";
import { requireSchedule, requireVersion } from "./require-schedule.ts";
import { scheduleFacts } from "./schedule-event.ts";

export type ChangeSchedule = Partial<Pick<Schedule, "missed" | "overlap" | "cron" | "timeZone">> & {
  readonly scheduleId: string;
  readonly name?: string;
  /** A text replaces a template, and a template replaces the text. */
  readonly request?: string;
  readonly template?: ScheduleTemplate;
  readonly workingDirectory?: string;
  /** null: the analyst of each task chooses one. */
  readonly priority?: TaskPriority | null;
  /** The version that the person saw. */
  readonly version?: number;
};

/**
 * The person who changes a schedule becomes the requester of its tasks: otherwise a person could
 * request work in the name of another one and approve it.
 */
export async function changeSchedule(
  core: Core,
  identity: Identity,
  input: ChangeSchedule,
): Promise<Schedule> {
  requireNoAgent(identity);
  const requester = requesterOf(core, identity);
  const hasWhat = input.request !== undefined || input.template !== undefined;
  const what = hasWhat ? await requireWhat(core, input) : undefined;
  const workingDirectory =
    input.workingDirectory === undefined
      ? undefined
      : await directoryFor(core, identity, input.workingDirectory);
  return core.store.transaction(async (unit) => {
    const before = await requireSchedule(unit, input.scheduleId);
    requireVersion(before, input.version);
    const now = core.clock.now();
    const changes = {
      ...changesOf(before, what, input),
      ...(workingDirectory && { workingDirectory }),
    };
    const moved = changes.cron !== before.cron || changes.timeZone !== before.timeZone;
    const isPlanned = before.status === "active" && moved;
    const next = applyToSchedule(before, "changed", now, {
      ...changes,
      requester,
      ...(isPlanned && { nextAt: nextTime(changes.cron, changes.timeZone, now) }),
    });
    const changed = await unit.updateSchedule(next, before);
    await recordAudit(core, unit, {
      actor: actorOf(identity),
      action: "schedule.changed",
      subject: changed.id,
      data: auditedFields(core, changed),
    });
    await unit.emit({ type: "schedule:updated", ...scheduleFacts(changed, now) });
    return changed;
  });
}

function changesOf(before: Schedule, what: What | undefined, input: ChangeSchedule) {
  const { request, template } = what ?? before;
  return {
    request,
    template,
    name: input.name === undefined ? before.name : nameOf(input.name, what?.name ?? request),
    cron: input.cron === undefined ? before.cron : requireCron(input.cron),
    timeZone: input.timeZone === undefined ? before.timeZone : requireTimeZone(input.timeZone),
    missed: input.missed ?? before.missed,
    overlap: input.overlap ?? before.overlap,
    priority: input.priority === undefined ? before.priority : input.priority,
  };
}
