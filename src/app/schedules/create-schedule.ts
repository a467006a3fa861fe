import { truncate } from "../../base/truncate.ts";
import { Refusal } from "../../domain/refusal.ts";
import { nextTime, requireCron } from "../../domain/schedules/cron.ts";
import {
  MAX_SCHEDULE_NAME_CHARS,
  MAX_SCHEDULES,
  type Schedule,
} from "../../domain/schedules/schedule.ts";
import { ownTimeZone, requireTimeZone } from "../../domain/schedules/time-zone.ts";
import type { TaskDoor, TaskPriority } from "../../domain/tasks/task.ts";
import { oneLine } from "../../domain/text/one-line.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import { actorOf, requesterOf } from "../people/require-person.ts";
import {
  directoryFor,
  MAX_REQUEST_CHARS,
  requireNoAgent,
  requireText,
} from "../tasks/create-task.ts";
import { auditedFields } from "./audited-fields.ts";
import { scheduleFacts } from "./schedule-event.ts";

export type CreateSchedule = Pick<Schedule, "missed" | "overlap"> & {
  readonly request: string;
  readonly cron: string;
  readonly door: TaskDoor;
  /** Default: the beginning of the request. */
  readonly name?: string;
  /** Default: the machine's. */
  readonly timeZone?: string;
  readonly workingDirectory?: string;
  readonly priority?: TaskPriority;
};

const DEFAULT_NAME_CHARS = 40;

export async function createSchedule(
  core: Core,
  identity: Identity,
  input: CreateSchedule,
): Promise<Schedule> {
  requireNoAgent(identity);
  const requester = requesterOf(core, identity);
  const request = requireText("request", input.request, MAX_REQUEST_CHARS);
  const cron = requireCron(input.cron);
  const timeZone = requireTimeZone(input.timeZone ?? ownTimeZone());
  const workingDirectory = await directoryFor(core, identity, input.workingDirectory);
  const now = core.clock.now();
  const created: Schedule = {
    id: `sch-${core.random.ulid(now)}`,
    name: nameOf(input.name, request),
    request,
    priority: input.priority ?? null,
    workingDirectory,
    door: input.door,
    cron,
    timeZone,
    missed: input.missed,
    overlap: input.overlap,
    status: "active",
    pausedBy: null,
    pausedReason: null,
    requester,
    nextAt: nextTime(cron, timeZone, now),
    queuedAt: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
  await core.store.transaction(async (unit) => {
    if ((await unit.listSchedules()).length >= MAX_SCHEDULES) throw tooMany();
    await unit.insertSchedule(created);
    await recordAudit(core, unit, {
      actor: actorOf(identity),
      action: "schedule.created",
      subject: created.id,
      data: auditedFields(core, created),
    });
    await unit.emit({ type: "schedule:created", ...scheduleFacts(created, now) });
  });
  return created;
}

export function nameOf(given: string | undefined, request: string): string {
  const name = oneLine(given ?? "").trim();
  if (name === "") return truncate(oneLine(request), DEFAULT_NAME_CHARS);
  return requireText("name", name, MAX_SCHEDULE_NAME_CHARS);
}

function tooMany(): Refusal {
  return new Refusal("TOO_MANY_OPEN", {
    en: [
      `There are ${MAX_SCHEDULES} schedules, which is the maximum.`,
      "Remove one that is not needed any more: `kuromajutsu schedule remove ID`.",
    ],
    ja: [
      `スケジュールがすでに上限の ${MAX_SCHEDULES} 件あります。`,
      "不要なスケジュールを削除してください: `kuromajutsu schedule remove ID`",
    ],
  });
}
