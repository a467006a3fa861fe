import { fieldsOf, textOf } from "./narrow.ts";

/** A dashboard shows a line or two; the transcript has the rest. */
const MAX_CHARS = 1_000;

/** The beginning of a tool's answer: a text, or content parts of which the texts are joined. */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return (textOf(content) ?? "").slice(0, MAX_CHARS);
  const texts = content
    .map((part) => textOf(fieldsOf(part).text))
    .filter((text) => text !== undefined);
  return texts.join("\n").slice(0, MAX_CHARS);
}
