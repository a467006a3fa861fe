import type { WireTaskDetail } from "../../../contract/shapes/tasks.ts";
import { visibleLine, visibleText } from "../../../contract/visible-text.ts";
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
  return `${texts.steps(process.version)}\n${process.steps.map(stepLine).join("\n")}`;
}

function stepLine(step: ShownProcess["steps"][number]): string {
  const check = step.requiresHumanCheck ? " 🔍" : "";
  return `  ${step.order}. ${visibleLine(step.title)} — ${toolName(step)}${check}`;
}

function toolName({ server, tool }: { readonly server: string | null; readonly tool: string }) {
  return visibleLine(server === null ? tool : `${server}/${tool}`);
}

/** Every step of the latest execution with its mark, and the progress. */
export function renderSteps(task: WireTaskDetail, texts: TerminalTexts): string {
  const execution = task.executions.at(-1);
  const process = task.processes.find(({ processId }) => processId === execution?.processId);
  if (!execution || !process) return "";
  const lines = process.steps.map((step) => {
    const state = execution.steps.find(({ stepId }) => stepId === step.stepId);
    return `${MARKS[state?.status ?? "waiting"] ?? "⬜"} ${stepLine(step).trimStart()}${noteOf(state, texts)}`;
  });
  const done = execution.steps.filter(({ status }) => status === "done").length;
  return [
    ...lines.map((line) => `  ${line}`),
    `  ${texts.progress(done, process.steps.length)}`,
  ].join("\n");
}

function noteOf(state: ShownExecution["steps"][number] | undefined, texts: TerminalTexts): string {
  if (!state || state.status === "waiting") return "";
  const status = known(texts.step, state.status);
  const seconds = state.elapsed_ms >= 1_000 ? ` ${Math.round(state.elapsed_ms / 1_000)}s` : "";
  const error = state.error ? ` — ${visibleLine(state.error)}` : "";
  return state.status === "done" ? seconds : ` (${status})${seconds}${error}`;
}

export function renderEnd(task: WireTaskDetail, texts: TerminalTexts): string {
  const execution = task.executions.at(-1);
  const mark = task.status === "completed" ? "✅" : task.status === "failed" ? "❌" : "⏹️";
  const lines = [`${mark} ${texts.task[task.status]}`];
  if (execution?.summary) lines.push(`${texts.summary}: ${visibleText(execution.summary)}`);
  const error = task.failure?.message ?? execution?.error;
  if (task.status === "failed" && error) lines.push(`${texts.error}: ${visibleText(error)}`);
  if (execution) lines.push(texts.elapsed(Math.round(execution.elapsed_ms / 1_000)));
  return lines.join("\n");
}

export function known(texts: Readonly<Record<string, string>>, key: string): string {
  return texts[key] ?? key;
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
