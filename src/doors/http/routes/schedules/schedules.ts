import type { Core } from "../../../../app/core.ts";
import { changeSchedule } from "../../../../app/schedules/change-schedule.ts";
import { createSchedule } from "../../../../app/schedules/create-schedule.ts";
import { pauseSchedule, resumeSchedule } from "../../../../app/schedules/pause-schedule.ts";
import { removeSchedule } from "../../../../app/schedules/remove-schedule.ts";
import { requireSchedule } from "../../../../app/schedules/require-schedule.ts";
import { runSchedule } from "../../../../app/schedules/run-schedule.ts";
import * as contract from "../../../../contract/routes/schedules.ts";
import { iso } from "../../../../contract/shapes/iso.ts";
import { wireSchedule, wireScheduleRun } from "../../../../contract/shapes/schedules.ts";
import { wireTask } from "../../../../contract/shapes/tasks.ts";
import type { Locale } from "../../../../domain/locale.ts";
import { findCronProblem, nextTimes, tidyCron } from "../../../../domain/schedules/cron.ts";
import type { Schedule, ScheduleTemplate } from "../../../../domain/schedules/schedule.ts";
import { findTimeZone, ownTimeZone, similarZones } from "../../../../domain/schedules/time-zone.ts";
import { defineRoute, type Route } from "../../define-route.ts";

const NEXT_TIMES = 5;

const list = defineRoute(contract.listSchedules, {
  async run({ store }) {
    const last = new Map((await store.listLastScheduleRuns()).map((run) => [run.scheduleId, run]));
    const schedules = await store.listSchedules();
    return { schedules: schedules.map((each) => wireSchedule(each, last.get(each.id))) };
  },
});

/** As the answer and the tasks call it. */
const OTHER_NAMES = { request: "text" } as const;

const create = defineRoute(contract.createSchedule, {
  otherNames: OTHER_NAMES,
  async run(core, { body }, identity) {
    const { text, template, name, timeZone, workingDirectory, priority, ...rest } = body;
    const created = await createSchedule(core, identity, {
      ...rest,
      ...(text !== undefined && { request: text }),
      ...(template && { template: templateOf(core, template) }),
      ...(name && { name }),
      ...(timeZone && { timeZone }),
      ...(workingDirectory && { workingDirectory }),
      ...(priority && { priority }),
    });
    return wireSchedule(created, undefined);
  },
});

const preview = defineRoute(contract.previewSchedule, {
  async run({ clock }, { query }) {
    const cron = tidyCron(query.cron);
    const asked = query.timeZone ?? ownTimeZone();
    const problem = findCronProblem(cron) ?? null;
    const timeZone = findTimeZone(asked.trim()) ?? null;
    const isRight = problem === null && timeZone !== null;
    const next = isRight ? nextTimes(cron, timeZone, clock.now(), NEXT_TIMES) : [];
    const similar = timeZone === null ? similarZones(asked) : [];
    return { cron, timeZone, similarZones: similar, problem, next: next.map(iso) };
  },
});

const get = defineRoute(contract.getSchedule, {
  async run(core, { params }) {
    const schedule = await requireSchedule(core.store, params.id);
    const { cron, timeZone, status } = schedule;
    const next = status === "active" ? nextTimes(cron, timeZone, core.clock.now(), NEXT_TIMES) : [];
    return { ...(await withLastRun(core, schedule)), next: next.map(iso) };
  },
});

const change = defineRoute(contract.changeSchedule, {
  otherNames: OTHER_NAMES,
  async run(core, { params, body }, identity) {
    const { status, version, text, template: asked, ...fields } = body;
    const template = asked && templateOf(core, asked);
    const given = Object.entries({ ...fields, request: text, template }).filter(
      ([, it]) => it !== undefined,
    );
    const scheduleId = params.id;
    const seen = version === undefined ? {} : { version };
    let changed: Schedule | undefined;
    if (given.length > 0) {
      const changes = Object.fromEntries(given);
      changed = await changeSchedule(core, identity, { ...changes, scheduleId, ...seen });
    }
    const now = changed ? { version: changed.version } : seen;
    if (status === "paused") changed = await pauseSchedule(core, identity, { scheduleId, ...now });
    if (status === "active") changed = await resumeSchedule(core, identity, { scheduleId, ...now });
    return withLastRun(core, changed ?? (await requireSchedule(core.store, scheduleId)));
  },
});

const run = defineRoute(contract.runSchedule, {
  async run(core, { params }, identity) {
    return wireTask(await runSchedule(core, identity, params.id));
  },
});

const remove = defineRoute(contract.removeSchedule, {
  async run(core, { params, query }, identity) {
    const seen = query.version === undefined ? {} : { version: query.version };
    await removeSchedule(core, identity, { scheduleId: params.id, ...seen });
    return { scheduleId: params.id };
  },
});

const runs = defineRoute(contract.listScheduleRuns, {
  async run({ store }, { params, query }) {
    const { id } = await requireSchedule(store, params.id);
    const page = await store.listScheduleRuns({
      scheduleId: id,
      limit: query.limit,
      ...(query.cursor && { cursor: query.cursor }),
    });
    return { runs: page.runs.map(wireScheduleRun), nextCursor: page.nextCursor };
  },
});

type AskedTemplate = Omit<ScheduleTemplate, "locale"> & { readonly locale?: Locale | undefined };

function templateOf({ settings }: Core, { id, values, locale }: AskedTemplate): ScheduleTemplate {
  return { id, values, locale: locale ?? settings.locale };
}

async function withLastRun({ store }: Core, schedule: Schedule) {
  const { runs: newest } = await store.listScheduleRuns({ scheduleId: schedule.id, limit: 1 });
  return wireSchedule(schedule, newest[0]);
}

export const SCHEDULE_ROUTES: readonly Route[] = [
  list,
  create,
  preview,
  get,
  change,
  run,
  remove,
  runs,
];
