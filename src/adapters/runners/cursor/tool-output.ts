import { fieldsOf, isRecord, textOf, type Fields } from "../../../base/narrow.ts";

/** A dashboard shows a line or two; the transcript has the rest. */
const MAX_CHARS = 1_000;

/** A tool's answer as text, from `{success: {…}}`, `{error: …}` or `{rejected: …}`. */
export function toolOutput(result: Fields): string {
  const [answer] = Object.values(result);
  return (textIn(answer) ?? jsonOf(answer)).slice(0, MAX_CHARS);
}

/** The text fields of the known kinds; a field of another type counts as absent. */
function textIn(answer: unknown): string | undefined {
  if (!isRecord(answer)) return textOf(answer);
  const { content, stdout, output, message, reason, path } = answer;
  const text = [content, stdout, output, message, reason, path].find(
    (each) => textOf(each) !== undefined,
  );
  return textOf(text) ?? partsOf(content);
}

/** Content parts of an MCP tool; Cursor wraps their text once more. */
function partsOf(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const texts = content
    .map(fieldsOf)
    .map(({ text }) => textOf(text) ?? textOf(fieldsOf(text).text))
    .filter((text) => text !== undefined);
  return texts.join("\n");
}

function jsonOf(answer: unknown): string {
  if (!isRecord(answer) || Object.keys(answer).length === 0) return "";
  try {
    return JSON.stringify(answer);
  } catch {
    // Nested too deeply.
    return "";
  }
}
