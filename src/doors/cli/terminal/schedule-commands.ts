import { nameCommands } from "../../../base/command-name.ts";
import * as contract from "../../../contract/routes/schedules.ts";
import type { WireSchedule, WireScheduleRun } from "../../../contract/shapes/schedules.ts";
import { visibleLine, visibleText } from "../../../contract/visible-text.ts";
import { describeCron } from "../../../domain/schedules/describe-cron.ts";
import { plannedTimeText } from "../../../domain/schedules/planned-time-text.ts";
import { printJson } from "./print-list.ts";
import { SCHEDULE_TEXTS, type ScheduleTexts } from "./schedule-texts.ts";
import type { Session } from "./session.ts";

type Face = Pick<Session, "api" | "console">;

const HISTORY = 20;

export type AddSchedule = Pick<WireSchedule, "workingDirectory"> & {
  readonly text: string;
  readonly cron?: string | undefined;
  readonly tz?: string | undefined;
  readonly name?: string | undefined;
  readonly missed?: WireSchedule["missed"] | undefined;
  readonly overlap?: WireSchedule["overlap"] | undefined;
  readonly priority?: NonNullable<WireSchedule["priority"]> | undefined;
  readonly json: boolean;
};

/** `kuromajutsu schedule add "…" --cron "…"` */
export async function addSchedule({ api, console }: Face, input: AddSchedule): Promise<number> {
  const texts = textsOf(api);
  const { text, cron, workingDirectory, tz, name, missed, overlap, priority } = input;
  if (cron === undefined) {
    console.print(texts.cronNeeded);
    return 1;
  }
  const body = {
    text,
    cron,
    workingDirectory,
    door: "terminal" as const,
    ...(tz !== undefined && { timeZone: tz }),
    ...(name !== undefined && { name }),
    ...(missed && { missed }),
    ...(overlap && { overlap }),
    ...(priority && { priority }),
  };
  const added = await api.call(contract.createSchedule, { body });
  if (input.json) return printJson(console, added);
  console.print(`${texts.added(added.scheduleId)}\n${line(added, texts)}\n${texts.needsDaemon}`);
  return 0;
}

/** `kuromajutsu schedule list` */
export async function listSchedules(
  { api, console, program }: Face & Pick<Session, "program">,
  json: boolean,
): Promise<number> {
  const { schedules } = await api.call(contract.listSchedules);
  if (json) return printJson(console, schedules);
  const texts = textsOf(api);
  const lines = schedules.map((each) => line(each, texts));
  console.print(lines.join("\n") || nameCommands(texts.none, program));
  return 0;
}

/** `kuromajutsu schedule show <id>` */
export async function showSchedule(
  { api, console }: Face,
  id: string,
  json: boolean,
): Promise<number> {
  const params = { id };
  const schedule = await api.call(contract.getSchedule, { params });
  const { runs } = await api.call(contract.listScheduleRuns, { params, query: { limit: HISTORY } });
  if (json) return printJson(console, { ...schedule, runs });
  const texts = textsOf(api);
  const { timeZone, next } = schedule;
  const parts = [
    `${line(schedule, texts)}\n${texts.policies(schedule.missed, schedule.overlap)}  ${visibleLine(schedule.workingDirectory)}`,
    visibleText(schedule.request),
    next.length > 0 &&
      [texts.nextTimes, ...next.map((at) => `  ${timeText(at, timeZone, texts)}`)].join("\n"),
    runs.length === 0
      ? texts.noHistory
      : [texts.history, ...runs.map((run) => `  ${runLine(run, timeZone, texts)}`)].join("\n"),
  ];
  console.print(parts.filter(Boolean).join("\n\n"));
  return 0;
}

/** `kuromajutsu schedule pause <id>` */
export function pauseSchedule(face: Face, id: string): Promise<number> {
  return setStatus(face, id, "paused");
}

/** `kuromajutsu schedule resume <id>` */
export function resumeSchedule(face: Face, id: string): Promise<number> {
  return setStatus(face, id, "active");
}

async function setStatus(
  { api, console }: Face,
  id: string,
  status: WireSchedule["status"],
): Promise<number> {
  const changed = await api.call(contract.changeSchedule, { params: { id }, body: { status } });
  console.print(line(changed, textsOf(api)));
  return 0;
}

/** `kuromajutsu schedule run <id>` */
export async function runSchedule({ api, console }: Face, id: string): Promise<number> {
  const task = await api.call(contract.runSchedule, { params: { id } });
  console.print(textsOf(api).started(task.taskId));
  return 0;
}

/** `kuromajutsu schedule remove <id>` */
export async function removeSchedule({ api, console }: Face, id: string): Promise<number> {
  const { scheduleId } = await api.call(contract.removeSchedule, { params: { id } });
  console.print(textsOf(api).removed(scheduleId));
  return 0;
}

/** In the language of the person, which may differ from that of the daemon. */
function textsOf({ locale }: Session["api"]): ScheduleTexts {
  return SCHEDULE_TEXTS[locale];
}

function line(schedule: WireSchedule, texts: ScheduleTexts): string {
  const { scheduleId, name, cron, timeZone, lastRun } = schedule;
  const parts = [
    scheduleId,
    visibleLine(name),
    describeCron(cron, texts.locale),
    stateOf(schedule, texts),
    lastRun ? runLine(lastRun, timeZone, texts) : "",
  ];
  return parts.filter(Boolean).join("  ");
}

function stateOf(schedule: WireSchedule, texts: ScheduleTexts): string {
  const { nextAt, timeZone, pausedBy, pausedReason } = schedule;
  if (pausedReason !== null) return texts.pausedItself[pausedReason];
  if (nextAt === null) return texts.paused(visibleLine(pausedBy ?? ""));
  return texts.next(timeText(nextAt, timeZone, texts), timeZone);
}

function runLine(run: WireScheduleRun, timeZone: string, texts: ScheduleTexts): string {
  const parts = [
    timeText(run.plannedAt, timeZone, texts),
    texts.run[run.status],
    run.manual && `(${texts.manual})`,
    run.count > 1 && `(${texts.missedTimes(run.count)})`,
    run.taskId,
    run.reason !== null && visibleLine(run.reason),
  ];
  return parts.filter(Boolean).join(" ");
}

function timeText(at: string, timeZone: string, { locale }: ScheduleTexts): string {
  return plannedTimeText(Date.parse(at), timeZone, locale);
}
