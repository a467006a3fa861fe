import { truncate } from "../../base/truncate.ts";
import { Refusal } from "../../domain/refusal.ts";
import { nextTime, requireCron } from "../../domain/schedules/cron.ts";
import {
  MAX_SCHEDULE_NAME_CHARS,
  MAX_SCHEDULES,
  type Schedule,
  type ScheduleTemplate,
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
import { readTemplate } from "./read-template.ts";
import { scheduleFacts } from "./schedule-event.ts";

export type CreateSchedule = Pick<Schedule, "missed" | "overlap"> & {
  /** Either this or `template`. */
  readonly request?: string;
  readonly template?: ScheduleTemplate;
  readonly cron: string;
  readonly door: TaskDoor;
  /** Default: the name of the template, or the beginning of the request. */
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
  const what = await requireWhat(core, input);
  const cron = requireCron(input.cron);
  const timeZone = requireTimeZone(input.timeZone ?? ownTimeZone());
  const workingDirectory = await directoryFor(
    core,
    identity,
    input.workingDirectory ?? what.workingDirectory,
  );
  const now = core.clock.now();
  const created: Schedule = {
    id: `sch-${core.random.ulid(now)}`,
    name: nameOf(input.name, what.name),
    request: what.request,
    template: what.template,
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

/** What a schedule requests. */
export type What = Pick<Schedule, "request" | "template"> & {
  /** The name of a schedule to which a person gives none. */
  readonly name: string;
  readonly workingDirectory?: string;
};

export async function requireWhat(
  core: Core,
  { request: given, template }: Pick<CreateSchedule, "request" | "template">,
): Promise<What> {
  if ((given === undefined) === (template === undefined)) throw eitherOr();
  if (template === undefined) {
    const request = requireText("request", given ?? "", MAX_REQUEST_CHARS);
    return { request, template: null, name: request };
  }
  const { template: read, request } = await readTemplate(core, template);
  const directory = read.workingDirectory;
  return {
    request: requireText("request", request, MAX_REQUEST_CHARS),
    template,
    name: read.name[template.locale],
    ...(directory !== null && { workingDirectory: directory }),
  };
}

export function nameOf(given: string | undefined, otherwise: string): string {
  const name = oneLine(given ?? "").trim();
  if (name === "") return truncate(oneLine(otherwise), DEFAULT_NAME_CHARS);
  return requireText("name", name, MAX_SCHEDULE_NAME_CHARS);
}

function eitherOr(): Refusal {
  return new Refusal("INVALID_ARGUMENTS", {
    en: [
      "A schedule needs either a text or a template.",
      "Give one of the two: what is to be done as text, or the id of a template with its values.",
    ],
    ja: [
      "スケジュールには、依頼の文かテンプレートのどちらか一方が必要です。",
      "依頼の内容を文で書くか、テンプレートの ID と値を指定してください。",
    ],
  });
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
