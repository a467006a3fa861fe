import { isRecord, parseJson } from "../../base/narrow.ts";

/** Unmatched braces before the object each cost one more scan of the text. */
const MAX_UNMATCHED = 32;

/**
 * The last JSON object in a model's answer: models write explanations and code fences around it.
 * Linear in the length of the text.
 */
export function readJsonAnswer(text: string): Readonly<Record<string, unknown>> | undefined {
  const whole = parseObject(text);
  if (whole) return whole;
  let found: Readonly<Record<string, unknown>> | undefined;
  let unmatched = 0;
  let start = nextStart(text, 0);
  while (start >= 0 && unmatched < MAX_UNMATCHED) {
    const end = endOfObject(text, start);
    if (end !== undefined) found = parseObject(text.slice(start, end)) ?? found;
    else unmatched++;
    // An object nested in one that does not parse is not the answer either.
    start = nextStart(text, end ?? start + 1);
  }
  return found;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  return isRecord(value) && Object.keys(value).length > 0 ? value : undefined;
}

/** An object starts with a brace and a quote; a brace in a sentence has no quote after it. */
function nextStart(text: string, from: number): number {
  const start = /\{\s*"/g;
  start.lastIndex = from;
  return start.exec(text)?.index ?? -1;
}

/** The index after the brace that closes the one at `start`, ignoring braces inside strings. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (isInString) {
      if (char === "\\") at++;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return at + 1;
  }
  return undefined;
}
