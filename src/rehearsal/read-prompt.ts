import { isDirective, parseDirectives, type Directive } from "./directives.ts";
import { languageOf, type Language } from "./language.ts";
import { readTaskPart, type TaskPart } from "./task-part.ts";

export type ReadPrompt = {
  readonly directives: readonly Directive[];
  /** Who the metadata block says we are. */
  readonly agentId: string | undefined;
  readonly groupId: string | undefined;
  readonly role: string | undefined;
  /** All that comes after the metadata block. */
  readonly rest: string;
  /** Of an internal role: what it is given in a block of JSON. */
  readonly task: TaskPart | undefined;
  /** The user's first line that is no directive, shortened; empty if there is none. */
  readonly firstLine: string;
  /** Of the user's words. */
  readonly language: Language;
};

const BLOCK_START = "---\n【kuromajutsu システム情報】\n";
const BLOCK_END = "\n---\n";
const MAGENTIC_HEADING = "【Magentic タスク】";
/** Lines of results that look like its end are quoted. */
const PREVIOUS_STAGE = /^---\n\n【前ステージの結果】.*?\n\n---\n\n/ms;
const FIRST_LINE_CHARS = 80;

/**
 * Takes the user's part out of the whole prompt. Everything up to the end of the last metadata
 * block was written by us or by the role, so nothing in there steers.
 */
export function readPrompt(prompt: string): ReadPrompt {
  const { block, rest } = splitAtMetadata(prompt);
  const role = /^- Role: (\S+)$/m.exec(block)?.[1];
  const task = readTaskPart(role, rest);
  const words = task ? (task.input?.request ?? "") : userWords(rest);
  return {
    directives: task?.directives ?? parseDirectives(rest),
    agentId: /^- Agent ID: (\S+)$/m.exec(block)?.[1],
    groupId: /^- Group ID: (\S+)$/m.exec(block)?.[1],
    role,
    rest,
    task,
    firstLine: (task ? undefined : taskLine(rest)) ?? firstLine(words),
    language: languageOf(words),
  };
}

function splitAtMetadata(prompt: string): { readonly block: string; readonly rest: string } {
  let start = prompt.lastIndexOf(BLOCK_START);
  while (start >= 0) {
    const end = prompt.indexOf(BLOCK_END, start + BLOCK_START.length);
    if (end >= 0) {
      return { block: prompt.slice(start, end), rest: prompt.slice(end + BLOCK_END.length) };
    }
    start = start === 0 ? -1 : prompt.lastIndexOf(BLOCK_START, start - 1);
  }
  return { block: "", rest: prompt };
}

/** An orchestrator is told its task as one field among others. */
function taskLine(rest: string): string | undefined {
  const start = rest.indexOf(MAGENTIC_HEADING);
  if (start < 0) return undefined;
  const line = /^[ \t*-]*task\**[ \t]*[:：][ \t]*\n?[ \t]*(\S.*)$/m.exec(rest.slice(start))?.[1];
  return line === undefined ? undefined : shorten(line.trim(), FIRST_LINE_CHARS);
}

/**
 * Earlier results may stand before the user's words, in a block that has an end, and tool
 * instructions with nothing that marks where those begin; they start with 【. Then the last
 * paragraph is surely the user's.
 */
function userWords(rest: string): string {
  const magentic = rest.indexOf(MAGENTIC_HEADING);
  if (magentic >= 0) return rest.slice(magentic + MAGENTIC_HEADING.length);
  const results = PREVIOUS_STAGE.exec(rest);
  if (results) return rest.slice(results.index + results[0].length);
  if (!rest.trimStart().startsWith("【")) return rest;
  const paragraphs = rest.trim().split(/\n{2,}/);
  return paragraphs.findLast((each) => firstLine(each) !== "") ?? "";
}

function firstLine(words: string): string {
  const line = words.split("\n").find((text) => text.trim() !== "" && !isDirective(text));
  return line === undefined ? "" : shorten(line.trim(), FIRST_LINE_CHARS);
}

/** Cut between characters, never inside one. */
export function shorten(text: string, chars: number): string {
  const all = Array.from(text.slice(0, chars * 4));
  return all.length <= chars && text.length <= chars * 4
    ? text
    : `${all.slice(0, chars).join("")}…`;
}

/** For words of others that are passed on: on one line of ours they cannot be a directive. */
export function oneLine(text: string, chars: number): string {
  return shorten(
    text
      .slice(0, chars * 8)
      .replaceAll(/\s+/g, " ")
      .trim(),
    chars,
  );
}
