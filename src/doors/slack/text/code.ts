import { UNSEEN } from "../../../domain/text/hidden-characters.ts";
import { EMPTY, LOOKALIKES, escapeText } from "./escape.ts";
import { shortLine } from "./short-line.ts";
import { truncateMrkdwn } from "./truncate-mrkdwn.ts";

const FENCE = "```";
/** The space that the fences of a code block need. */
const FENCES_CHARS = `${FENCE}\n\n${FENCE}`.length;

/** A foreign text as inline code. */
export function codeSpan(text: string, maxChars: number): string {
  const line = shortLine(text, maxChars - 2, "");
  return line === "" ? EMPTY : `\`${line}\``;
}

/** A foreign text of several lines as a code block. */
export function codeBlock(text: string, maxChars: number): string {
  const code = escapeText(text).replaceAll("`", LOOKALIKES["`"]).trimEnd();
  return fenced(code, maxChars);
}

/**
 * JSON as a code block that people decide on. What cannot be seen, and backticks, which could end
 * the block, become JSON escapes: what is shown is still exactly the value.
 */
export function jsonBlock(json: string, maxChars: number): string {
  const visible = json
    .replaceAll(UNSEEN, (character) => (character === "\n" ? character : jsonEscape(character)))
    .replaceAll("`", jsonEscape("`"));
  return fenced(escapeText(visible), maxChars);
}

/** Whether `jsonBlock` shows only the beginning. */
export function isTooLong(json: string, maxChars: number): boolean {
  return jsonBlock(json, Number.MAX_SAFE_INTEGER).length > maxChars;
}

function fenced(code: string, maxChars: number): string {
  const body = code === "" ? EMPTY : truncateMrkdwn(code, maxChars - FENCES_CHARS);
  return `${FENCE}\n${body}\n${FENCE}`;
}

function jsonEscape(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const hex = character.charCodeAt(index).toString(16).padStart(4, "0");
    return `\\u${hex}`;
  }).join("");
}
