import { isDirective, parseDirectives, type Directive } from "./directives.ts";
import { languageOf, type Language } from "./language.ts";
import { readTaskPart, type TaskPart } from "./task-part.ts";

export type ReadPrompt = {
  readonly directives: readonly Directive[];
  /** From the metadata block. */
  readonly agentId: string | undefined;
  readonly groupId: string | undefined;
  readonly role: string | undefined;
  /** Everything after the metadata block. */
  readonly rest: string;
  /** The input of an internal role, from its block of JSON. */
  readonly task: TaskPart | undefined;
  /** The user's first line that is not a directive, shortened; empty if there is none. */
  readonly firstLine: string;
  /** The language of the user's text. */
  readonly language: Language;
};

const BLOCK_START = "---\n【kuromajutsu システム情報】\n";
const BLOCK_END = "\n---\n";
const MAGENTIC_HEADING = "【Magentic タスク】";
/** Lines of results that look like the end of this block are quoted. */
const PREVIOUS_STAGE = /^---\n\n【前ステージの結果】.*?\n\n---\n\n/ms;
const FIRST_LINE_CHARS = 80;

/**
 * Extracts the user's part of the prompt. Everything up to the end of the last metadata block comes
 * from us or from the role, so directives in there are ignored.
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

/** An orchestrator's prompt has its task as one field among others. */
function taskLine(rest: string): string | undefined {
  const start = rest.indexOf(MAGENTIC_HEADING);
  if (start < 0) return undefined;
  const line = /^[ \t*-]*task\**[ \t]*[:：][ \t]*\n?[ \t]*(\S.*)$/m.exec(rest.slice(start))?.[1];
  return line === undefined ? undefined : shorten(line.trim(), FIRST_LINE_CHARS);
}

/**
 * Before the user's text there may be earlier results, in a block with an end mark, and tool
 * instructions, which start with 【 and have no end mark. After tool instructions only the last
 * paragraph is certainly the user's.
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

/** Never cuts inside a character. */
export function shorten(text: string, chars: number): string {
  const all = Array.from(text.slice(0, chars * 4));
  return all.length <= chars && text.length <= chars * 4
    ? text
    : `${all.slice(0, chars).join("")}…`;
}

/** Puts a foreign text on one line of ours, so that it cannot be a directive. */
export function oneLine(text: string, chars: number): string {
  return shorten(
    text
      .slice(0, chars * 8)
      .replaceAll(/\s+/g, " ")
      .trim(),
    chars,
  );
}
