import { reasonIn } from "../../../contract/reason-texts.ts";
import type { WireTaskDetail } from "../../../contract/shapes/tasks.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import { fitColumns, widthOf } from "../screen/columns.ts";
import { durationText, runningText } from "../screen/duration.ts";
import type { Size } from "../screen/live-block.ts";
import type { Style } from "../screen/style.ts";
import type { TerminalTexts } from "./terminal-texts.ts";

export type ProgressView = {
  readonly texts: TerminalTexts;
  readonly style: Style;
  readonly size: Size;
  readonly address: string;
  readonly now: number;
  /** When the task was read: elapsed times count on from there. */
  readonly readAt: number;
};

type ShownStep = WireTaskDetail["processes"][number]["steps"][number];
type StepState = WireTaskDetail["executions"][number]["steps"][number];

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const SPIN_MS = 125;
const BAR_COLUMNS = 24;
/** Heading, bar, address, and the rows that stay free. */
const OTHER_ROWS = 5;

/** The block that is redrawn while a task goes on. */
export function renderProgress(task: WireTaskDetail, view: ProgressView): readonly string[] {
  const { style, size, address } = view;
  const link = style.dim(style.link(fitColumns(address, size.columns - 3), address));
  return [heading(task, view), ...stepLines(task, view), `  ${link}`];
}

/** A long title is cut; the elapsed time behind it stays on the line. */
function heading(task: WireTaskDetail, { texts, style, now, size }: ProgressView): string {
  const spinner = SPINNER[Math.floor(now / SPIN_MS) % SPINNER.length] ?? "";
  const execution = task.status === "in_progress" ? task.executions.at(-1) : undefined;
  const status = execution ? texts.execution[execution.status] : texts.task[task.status];
  const elapsed = runningText(now - Date.parse(task.createdAt), texts.locale);
  const before = `${style.cyan(spinner)} ${style.bold(status)}`;
  const after = ` ${style.dim(`· ${elapsed}`)}`;
  const room = size.columns - 1 - widthOf(before) - widthOf(after);
  const title = task.title === null ? "" : fitColumns(` ${visibleLine(task.title)}`, room);
  return `${before}${title}${after}`;
}

function stepLines(task: WireTaskDetail, view: ProgressView): readonly string[] {
  const execution = task.status === "in_progress" ? task.executions.at(-1) : undefined;
  const process = task.processes.find(({ processId }) => processId === execution?.processId);
  if (!execution || !process) return [];
  const states = new Map(execution.steps.map((state) => [state.stepId, state]));
  const lines = process.steps.map((step) => stepLine(step, states.get(step.stepId), view));
  const firstOpen = process.steps.findIndex(({ stepId }) => states.get(stepId)?.status !== "done");
  const done = execution.steps.filter(({ status }) => status === "done").length;
  return [...within(lines, firstOpen, view), `  ${bar(done, process.steps.length, view)}`];
}

/** On a low terminal, the steps around the one that runs. */
function within(
  lines: readonly string[],
  current: number,
  { size, texts, style }: ProgressView,
): readonly string[] {
  const room = Math.max(1, size.rows - OTHER_ROWS);
  if (lines.length <= room) return lines;
  const count = Math.max(1, room - 1);
  const from = Math.min(Math.max(0, current - 1), lines.length - count);
  const more = `  ${style.dim(texts.moreSteps(lines.length - count))}`;
  return [...lines.slice(from, from + count), more];
}

function stepLine(step: ShownStep, state: StepState | undefined, view: ProgressView): string {
  const { style, size, texts } = view;
  const status = state?.status ?? "waiting";
  const name = step.server === null ? step.tool : `${step.server}/${step.tool}`;
  const note = state ? noteOf(state, view) : "";
  const check = step.requiresHumanCheck && status === "waiting" ? ` (${texts.kinds.step})` : "";
  const title = `${step.order}. ${visibleLine(step.title)}`;
  const paint = status === "waiting" ? style.dim : same;
  const room = size.columns - 5 - widthOf(note);
  const text = fitColumns(`${title}${check}${style.dim(` — ${visibleLine(name)}`)}`, room);
  return `  ${markOf(status, style)} ${paint(text)}${note}`;
}

const same = (text: string) => text;

export function markOf(status: string, style: Style): string {
  switch (status) {
    case "running":
      return style.cyan("▸");
    case "waiting_for_human":
    case "outcome_unknown":
      return style.yellow("?");
    case "done":
      return style.green("✔");
    case "failed":
      return style.red("✘");
    case "rejected":
    case "stopped":
      return style.yellow("■");
    default:
      return style.dim("·");
  }
}

function noteOf(state: StepState, { texts, style, now, readAt }: ProgressView): string {
  if (state.status === "waiting") return "";
  if (state.status === "done") {
    return style.dim(`  ${durationText(state.elapsed_ms, texts.locale)}`);
  }
  const isOpen = state.endedAt === null && state.startedAt !== null;
  const elapsed = state.elapsed_ms + (isOpen ? now - readAt : 0);
  const time = elapsed >= 1_000 ? ` ${runningText(elapsed, texts.locale)}` : "";
  const error = state.error ? ` — ${visibleLine(reasonIn(state.error, texts.locale))}` : "";
  return `  ${texts.step[state.status]}${time}${error}`;
}

function bar(done: number, total: number, { style, texts, size }: ProgressView): string {
  const columns = Math.min(BAR_COLUMNS, Math.max(4, size.columns - 30));
  const filled = total === 0 ? 0 : Math.round((done / total) * columns);
  const drawn = style.green("━".repeat(filled)) + style.dim("─".repeat(columns - filled));
  return `${drawn}  ${texts.progress(done, total)}`;
}
