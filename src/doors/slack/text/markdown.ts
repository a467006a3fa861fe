import { EMPTY, LOOKALIKES, cleanText, escapeText } from "./escape.ts";
import { convertInline } from "./markdown-inline.ts";
import { truncateMrkdwn } from "./truncate-mrkdwn.ts";

const FENCE = "```";
/** No card shows more than a part of this, so the rest of a long text is not converted. */
const MAX_READ_CHARS = 12_000;

/** A Markdown text of a model as mrkdwn of at most `maxChars` UTF-16 units. */
export function markdown(text: string, maxChars: number): string {
  const read = text.slice(0, MAX_READ_CHARS);
  const whole = markdownToMrkdwn(read);
  if (read.length === text.length) return truncateMrkdwn(whole, maxChars) || EMPTY;
  return truncateMrkdwn(`${whole}${" ".repeat(maxChars)}.`, maxChars);
}

/** Whether `markdown` shows only the beginning. */
export function isCut(text: string, maxChars: number): boolean {
  return text.length > MAX_READ_CHARS || markdownToMrkdwn(text).length > maxChars;
}

function markdownToMrkdwn(text: string): string {
  const out: string[] = [];
  /** The marks that end the current code block; null outside of one. */
  let end: string | null = null;
  let isInTable = false;
  for (const line of escapeText(cleanText(text).trim()).split("\n")) {
    const fence = /^\s{0,3}(`{3,}|~{3,})[^`]*$/.exec(line)?.[1];
    if (end !== null) {
      const isEnd: boolean = fence !== undefined && fence.startsWith(end) && line.trim() === fence;
      out.push(isEnd ? FENCE : asCode(line));
      if (isEnd) end = null;
      continue;
    }
    const isRow = line.trimStart().startsWith("|") && line.trimEnd().endsWith("|");
    if (isRow !== isInTable) out.push(FENCE);
    isInTable = isRow;
    if (isRow) {
      if (/[^\s|:-]/.test(line)) out.push(asCode(line));
    } else if (fence === undefined) out.push(convertLine(line));
    else {
      end = fence;
      out.push(FENCE);
    }
  }
  if (end !== null || isInTable) out.push(FENCE);
  return out.join("\n");
}

function asCode(line: string): string {
  return line.replaceAll("`", LOOKALIKES["`"]);
}

function convertLine(line: string): string {
  const heading = /^\s{0,3}#{1,6}\s+/.exec(line)?.[0];
  if (heading !== undefined) return convertHeading(line.slice(heading.length).trim());
  // All marks at once: a line may have thousands of them.
  const quote = /^(?:\s{0,3}&gt;\s?)+/.exec(line)?.[0];
  if (quote !== undefined) {
    const depth = quote.split("&gt;").length - 1;
    return `${"> ".repeat(depth)}${convertLine(line.slice(quote.length))}`;
  }
  if (/^(?:-{3,}|\*{3,}|_{3,})$/.test(line.replaceAll(/\s/g, ""))) return "———";
  const bullet = /^(\s*)[-*+]\s+/.exec(line);
  if (bullet === null) return convertInline(line);
  const item = line.slice(bullet[0].length);
  return `${bullet[1] ?? ""}• ${convertInline(item)}`;
}

function convertHeading(title: string): string {
  const text = convertInline(title).replaceAll("*", "").trim();
  return text === "" ? "" : `*${text}*`;
}
