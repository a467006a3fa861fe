import { reasonIn } from "../../../contract/reason-texts.ts";
import type { WireTaskDetail } from "../../../contract/shapes/tasks.ts";
import { timesOf } from "../../../contract/task-times.ts";
import { visibleLine, visibleText } from "../../../contract/visible-text.ts";
import { durationText } from "../screen/duration.ts";
import { PLAIN_STYLE, type Style } from "../screen/style.ts";
import type { TerminalTexts } from "./terminal-texts.ts";

type ShownProcess = WireTaskDetail["processes"][number];
type ShownExecution = WireTaskDetail["executions"][number];

const MARKS: Readonly<Record<string, string>> = {
  waiting: "⬜",
  running: "🔄",
  waiting_for_human: "🔍",
  done: "✅",
  failed: "❌",
  rejected: "🚫",
  stopped: "⏹️",
  outcome_unknown: "❓",
};

export function renderPrompt(task: WireTaskDetail, texts: TerminalTexts): string {
  const prompt = task.prompts.at(-1);
  return prompt
    ? `${texts.promptVersion(prompt.version)}\n${indent(visibleText(prompt.content))}`
    : "";
}

export function renderProcess(task: WireTaskDetail, texts: TerminalTexts): string {
  const process = task.processes.at(-1);
  if (!process) return "";
  const lines = process.steps.map((step) => `  ${stepLine(step)}`);
  return `${texts.steps(process.version)}\n${lines.join("\n")}`;
}

function stepLine(step: ShownProcess["steps"][number]): string {
  const check = step.requiresHumanCheck ? " 🔍" : "";
  return `${step.order}. ${visibleLine(step.title)} — ${toolName(step)}${check}`;
}

function toolName({ server, tool }: { readonly server: string | null; readonly tool: string }) {
  return visibleLine(server === null ? tool : `${server}/${tool}`);
}

type StepLine = { readonly key: string; readonly line: string };

/** Every step of the latest execution with its mark. The key changes with the status. */
export function stepLines(task: WireTaskDetail, texts: TerminalTexts): readonly StepLine[] {
  const execution = task.executions.at(-1);
  const process = task.processes.find(({ processId }) => processId === execution?.processId);
  if (!execution || !process) return [];
  return process.steps.map((step) => {
    const state = execution.steps.find(({ stepId }) => stepId === step.stepId);
    const status = state?.status ?? "waiting";
    return {
      key: [execution.executionId, step.stepId, status, state?.error].join(" "),
      line: `  ${MARKS[status] ?? "⬜"} ${stepLine(step)}${noteOf(state, texts)}`,
    };
  });
}

export function progressLine(task: WireTaskDetail, texts: TerminalTexts): string {
  const steps = task.executions.at(-1)?.steps ?? [];
  const done = steps.filter(({ status }) => status === "done").length;
  return `  ${texts.progress(done, steps.length)}`;
}

function noteOf(state: ShownExecution["steps"][number] | undefined, texts: TerminalTexts): string {
  if (!state || state.status === "waiting") return "";
  const status = texts.step[state.status];
  const time = state.elapsed_ms >= 100 ? ` ${durationText(state.elapsed_ms, texts.locale)}` : "";
  const error = state.error ? ` — ${visibleLine(reasonIn(state.error, texts.locale))}` : "";
  if (state.status === "done") return time;
  return state.status === "running" ? ` (${status})` : ` (${status})${time}${error}`;
}

export type EndView = {
  readonly texts: TerminalTexts;
  readonly style?: Style;
  /** Files that the agents wrote. */
  readonly files: readonly string[];
  readonly address: string;
};

const MOST_FILES = 10;

/** What came out, where it is, how long it took, and where to read more. */
export function renderEnd(task: WireTaskDetail, view: EndView): string {
  const { texts, files, address, style = PLAIN_STYLE } = view;
  const execution = task.executions.at(-1);
  const { color, mark } = endOf(task.status, style);
  const lines = [`${mark} ${style.bold(color(texts.task[task.status]))}`];
  if (execution?.summary) lines.push(`${texts.summary}: ${visibleText(execution.summary)}`);
  const error = task.failure?.message ?? execution?.error;
  if (task.status === "failed" && error && error !== execution?.summary)
    lines.push(`${texts.error}: ${visibleText(reasonIn(error, texts.locale))}`);
  if (files.length > 0) lines.push(...fileLines(files, texts));
  const { total, waiting } = timesOf(task);
  const waited =
    waiting >= 1_000 ? ` (${texts.waitedForPeople(durationText(waiting, texts.locale))})` : "";
  if (total !== undefined) {
    lines.push(`${texts.duration}: ${durationText(total, texts.locale)}${waited}`);
  }
  lines.push(`${texts.details}: ${style.link(address, address)}`);
  return lines.join("\n");
}

function endOf(status: WireTaskDetail["status"], style: Style) {
  if (status === "completed") return { mark: "✅", color: style.green };
  return status === "failed"
    ? { mark: "❌", color: style.red }
    : { mark: "⏹️", color: style.yellow };
}

function fileLines(files: readonly string[], texts: TerminalTexts): readonly string[] {
  const shown = files.slice(0, MOST_FILES).map((file) => `  ${visibleLine(file)}`);
  const more = files.length - shown.length;
  return [`${texts.files}:`, ...shown, ...(more > 0 ? [`  ${texts.moreFiles(more)}`] : [])];
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
