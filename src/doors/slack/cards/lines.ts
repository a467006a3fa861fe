import type { SectionBlock } from "@slack/types";
import type { StepStatus } from "../../../domain/tasks/execution.ts";
import { codeSpan } from "../text/code.ts";
import { EMPTY } from "../text/escape.ts";
import { shortLine } from "../text/short-line.ts";
import { MAX_TEXT, section } from "./blocks.ts";
import { CARD_TEXTS } from "./texts/card-texts.ts";
import type { CardView, StepLine, StepProgress } from "./views.ts";

const MAX_TITLE = 120;
const MAX_TOOL = 80;
/** The space for the lines that say how many others there are. */
const OTHERS_CHARS = 60;
/** How many lines before the current one stay visible. */
const LINES_BEFORE = 3;

export const STEP_EMOJI: Readonly<Record<StepStatus, string>> = {
  waiting: "⬜",
  running: "🔄",
  waiting_for_human: "⏸️",
  done: "✅",
  failed: "❌",
  rejected: "❌",
  stopped: "⏹️",
  outcome_unknown: "❓",
};

/** A foreign text of one line between two asterisks. */
export function bold(text: string, maxChars: number): string {
  const line = shortLine(text, maxChars, "");
  return line === "" ? EMPTY : `*${line}*`;
}

function stepText({ order, title, tool }: StepLine): string {
  return `${order}. ${bold(title, MAX_TITLE)} — ${codeSpan(tool, MAX_TOOL)}`;
}

/** The steps that people approve. */
export function plannedSteps(
  { locale }: CardView,
  steps: readonly StepLine[],
  budget: number,
): readonly SectionBlock[] {
  const lines = steps.map((step) => `${stepText(step)}${step.requiresHumanCheck ? " 🔍" : ""}`);
  return lineSections({ locale }, lines, budget, 0);
}

/** The steps of an execution, around the first that is not done if there are too many. */
export function stepsInProgress(
  { locale, steps }: CardView & { readonly steps: readonly StepProgress[] },
  budget: number,
): readonly SectionBlock[] {
  const notes = CARD_TEXTS[locale].stepNotes;
  const lines = steps.map(
    (step) => `${STEP_EMOJI[step.status]} ${stepText(step)}${notes[step.status]}`,
  );
  const current = steps.findIndex(({ status }) => status !== "done");
  return lineSections({ locale }, lines, budget, current === -1 ? lines.length : current);
}

/** Whole lines in sections of Slack's size, in at most `budget` UTF-16 units around one line. */
export function lineSections(
  { locale }: CardView,
  lines: readonly string[],
  budget: number,
  around: number,
): readonly SectionBlock[] {
  const { from, to } = rangeOf(lines, budget, around);
  const { others } = CARD_TEXTS[locale];
  const shown = [
    ...(from > 0 ? [others(from)] : []),
    ...lines.slice(from, to),
    ...(to < lines.length ? [others(lines.length - to)] : []),
  ];
  return shown.length === 0 ? [section(EMPTY)] : inSections(shown).map(section);
}

function rangeOf(lines: readonly string[], budget: number, around: number) {
  const sizes = lines.map((line) => line.length + 1);
  if (sizes.reduce((sum, size) => sum + size, 0) <= budget) return { from: 0, to: lines.length };
  let from = Math.max(0, Math.min(around, lines.length) - LINES_BEFORE);
  let to = from;
  let left = budget - OTHERS_CHARS;
  for (; to < lines.length && (sizes[to] ?? 0) <= left; to++) left -= sizes[to] ?? 0;
  for (; from > 0 && (sizes[from - 1] ?? 0) <= left; from--) left -= sizes[from - 1] ?? 0;
  return { from, to };
}

function inSections(lines: readonly string[]): readonly string[] {
  const texts: string[] = [];
  let text = "";
  for (const line of lines) {
    const longer = text === "" ? line : `${text}\n${line}`;
    if (longer.length > MAX_TEXT) {
      texts.push(text);
      text = line;
    } else text = longer;
  }
  return [...texts, text];
}
