import { nameCommands } from "../../../base/command-name.ts";
import { reasonIn } from "../../../contract/reason-texts.ts";
import * as contract from "../../../contract/routes/schedules.ts";
import { getTemplate } from "../../../contract/routes/templates.ts";
import type { WireSchedule, WireScheduleRun } from "../../../contract/shapes/schedules.ts";
import { visibleLine, visibleText } from "../../../contract/visible-text.ts";
import { describeCron } from "../../../domain/schedules/describe-cron.ts";
import { plannedTimeText } from "../../../domain/schedules/planned-time-text.ts";
import { completeValues, readPairs, WrongValues } from "../templates/ask-values.ts";
import { Interrupted } from "./console.ts";
import { printJson } from "./print-list.ts";
import { SCHEDULE_TEXTS, type ScheduleTexts } from "./schedule-texts.ts";
import type { Session } from "./session.ts";

type Face = Pick<Session, "api" | "console">;

type Adding = Face & Pick<Session, "program">;

const HISTORY = 20;

export type AddSchedule = Pick<WireSchedule, "workingDirectory"> & {
  readonly text?: string | undefined;
  /** The id of a template, instead of a text. */
  readonly template?: string | undefined;
  /** Values of the template, as `name=value`. */
  readonly pairs: readonly string[];
  readonly cron?: string | undefined;
  readonly tz?: string | undefined;
  readonly name?: string | undefined;
  readonly missed?: WireSchedule["missed"] | undefined;
  readonly overlap?: WireSchedule["overlap"] | undefined;
  readonly priority?: NonNullable<WireSchedule["priority"]> | undefined;
  readonly json: boolean;
};

/** `kuromajutsu schedule add "…" --cron "…"` */
export async function addSchedule(session: Adding, input: AddSchedule): Promise<number> {
  const { api, console } = session;
  const texts = textsOf(api);
  const { text, cron, workingDirectory, tz, name, missed, overlap, priority } = input;
  const problem = problemWith(input, texts);
  if (cron === undefined || problem !== undefined) {
    console.print(problem ?? texts.cronNeeded);
    return 1;
  }
  const template = await templateFor(session, input);
  if (template === "wrong") return 1;
  const body = {
    ...(text !== undefined && { text }),
    ...(template && { template }),
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

function problemWith(
  { text, template, pairs, cron }: AddSchedule,
  texts: ScheduleTexts,
): string | undefined {
  if ((text === undefined) === (template === undefined)) return texts.textOrTemplate;
  if (template === undefined && pairs.length > 0) return texts.valuesNeedTemplate;
  return cron === undefined ? texts.cronNeeded : undefined;
}

/** Asks for the values that were not given, as `template use` does. */
async function templateFor(session: Adding, { template: id, pairs }: AddSchedule) {
  if (id === undefined) return undefined;
  const { api, console, program } = session;
  const { locale } = api;
  const template = await api.call(getTemplate, { params: { id } });
  try {
    const given = readPairs(pairs, locale);
    const asking = { console, locale, program, takesDefaults: false };
    return { id, values: await completeValues(template, given, asking), locale };
  } catch (error) {
    if (!(error instanceof WrongValues) && !(error instanceof Interrupted)) throw error;
    if (error instanceof WrongValues) process.stderr.write(`${visibleText(error.message)}\n`);
    return "wrong";
  }
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
    schedule.template && templateLine(schedule.template, texts),
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

function templateLine(
  { id, values }: NonNullable<WireSchedule["template"]>,
  texts: ScheduleTexts,
): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  return visibleLine(texts.fromTemplate(id, pairs));
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
    run.reason !== null && visibleLine(reasonIn(run.reason, texts.locale)),
  ];
  return parts.filter(Boolean).join(" ");
}

function timeText(at: string, timeZone: string, { locale }: ScheduleTexts): string {
  return plannedTimeText(Date.parse(at), timeZone, locale);
}
