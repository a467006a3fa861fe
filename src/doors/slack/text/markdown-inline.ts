import { LOOKALIKES } from "./escape.ts";

const MARKS =
  /\*{3}([^\s*][^*]*)\*{3}|(?:\*{2}([^\s*][^*]*)\*{2}|(?<!\w)_{2}([^\s_][^_]*)_{2}(?!\w))|(?<![\w*])\*([^\s*][^*]*)\*(?![\w*])|~{2}([^\s~][^~]*)~{2}|\*/g;
/** mrkdwn formats only between word boundaries, and Japanese has no spaces: this one is invisible. */
const BOUNDARY = "\u200b";
const WORD_END = /[\p{L}\p{N}]$/u;
const WORD_START = /^[\p{L}\p{N}]/u;

/** One line of escaped Markdown, without the marks of its block, as mrkdwn. */
export function convertInline(line: string): string {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ index, length }));
  const ends = endsOf(runs.map(({ length }) => length));
  const parts: string[] = [];
  let done = 0;
  for (const [number, start] of runs.entries()) {
    const end = runs[ends[number] ?? -1];
    if (start.index < done || end === undefined) continue;
    const code = line.slice(start.index + start.length, end.index);
    parts.push(convertProse(line.slice(done, start.index)), asCode(code));
    done = end.index + end.length;
  }
  return [...parts, convertProse(line.slice(done))].join("");
}

/** For each run of backticks, the next one of the same length: together they are inline code. */
function endsOf(lengths: readonly number[]): readonly (number | undefined)[] {
  const next = new Map<number, number>();
  return lengths
    .map((length, index) => ({ length, index }))
    .toReversed()
    .map(({ length, index }) => {
      const end = next.get(length);
      next.set(length, index);
      return end;
    })
    .toReversed();
}

function asCode(code: string): string {
  const text = code.trim().replaceAll("`", LOOKALIKES["`"]);
  return text === "" ? "" : `\`${text}\``;
}

function convertProse(text: string): string {
  const plain = text
    .replaceAll(String.raw`\*`, LOOKALIKES["*"])
    .replaceAll("\\`", LOOKALIKES["`"])
    .replaceAll("`", LOOKALIKES["`"])
    .replaceAll(/\\([_#[\]()\\.!|~-])/g, "$1")
    // The address of a link stays visible: a label could hide it.
    .replaceAll(/!?\[([^[\]\n]*)\]\((https?:[^\s()]+)(?:\s[^()\n]*)?\)/g, showLink)
    .replaceAll(/&lt;(https?:[^\s&]+)&gt;/g, "$1");
  return plain.replaceAll(MARKS, (whole, ...found) => convertMark(whole, found));
}

function showLink(_link: string, label: string, url: string): string {
  return label === "" || label === url ? url : `${label} (${url})`;
}

/** `found` has what the groups of MARKS caught, then where, then the whole text. */
function convertMark(whole: string, found: readonly unknown[]): string {
  const [both, stars, lines, italic, struck, at, text] = found;
  const converted = [
    typeof both === "string" && `*_${both.trimEnd()}_*`,
    typeof stars === "string" && `*${stars.trimEnd()}*`,
    typeof lines === "string" && `*${lines.trimEnd()}*`,
    typeof italic === "string" && `_${italic.trimEnd()}_`,
    typeof struck === "string" && `~${struck.trimEnd()}~`,
  ].find((each) => each !== false);
  if (converted === undefined || typeof at !== "number" || typeof text !== "string") {
    return LOOKALIKES["*"];
  }
  const before = WORD_END.test(text.slice(Math.max(0, at - 2), at)) ? BOUNDARY : "";
  const after = WORD_START.test(text.slice(at + whole.length)) ? BOUNDARY : "";
  return `${before}${converted}${after}`;
}
