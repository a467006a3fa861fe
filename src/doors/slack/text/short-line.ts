import { EMPTY, literalLine } from "./escape.ts";
import { truncateMrkdwn } from "./truncate-mrkdwn.ts";

/** Only the beginning of a long text is read; white space may take some of it. */
const READ_FACTOR = 4;

/** The beginning of a foreign text as one line of mrkdwn that formats nothing. */
export function shortLine(text: string, maxChars: number, empty: string = EMPTY): string {
  const read = text.slice(0, maxChars * READ_FACTOR);
  const line = literalLine(read);
  const isWhole = read.length === text.length;
  return truncateMrkdwn(isWhole ? line : `${line}...`, maxChars) || empty;
}
