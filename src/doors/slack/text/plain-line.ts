import { oneLine } from "../../../domain/text/one-line.ts";
import { EMPTY, escapeText } from "./escape.ts";
import { truncatePlain } from "./truncate-mrkdwn.ts";

/** A foreign text for headers, labels and fallbacks: one line, escaped as everywhere in Slack. */
export function plainLine(text: string, maxChars: number): string {
  const line = oneLine(escapeText(text));
  return truncatePlain(line, maxChars) || EMPTY;
}
