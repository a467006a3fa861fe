import type { AgentResult } from "../agents/result.ts";

export const SUMMARY_LINE_CHARS = 200;

/** No line needs more characters of a text than this, however much white space it has. */
const READ_CHARS = 4_000;
/** The first segmenter of a process takes 9 ms, and most lines are short. */
let graphemes: Intl.Segmenter | undefined;

/** One line about a finished agent: its own summary, or why it did not succeed. */
export function summaryLine(
  result: Pick<AgentResult, "status" | "summary" | "errorMessage">,
  maxChars = SUMMARY_LINE_CHARS,
): string {
  const { status, summary, errorMessage } = result;
  const text = status === "success" ? summary : errorMessage || summary;
  return clip(toOneLine(text), maxChars);
}

function toOneLine(text: string): string {
  return text
    .trimStart()
    .slice(0, READ_CHARS)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/** Cuts between graphemes, so that no emoji, accent or surrogate pair is left in half. */
function clip(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  graphemes ??= new Intl.Segmenter("ja", { granularity: "grapheme" });
  let end = 0;
  for (const { index, segment } of graphemes.segment(line)) {
    if (index + segment.length > maxChars - 1) break;
    end = index + segment.length;
  }
  return `${line.slice(0, end)}…`;
}
