import { removeHidden } from "../../../domain/text/hidden-characters.ts";
import { oneLine } from "../../../domain/text/one-line.ts";

/** Shown where a text is empty: Slack refuses a text object with an empty text. */
export const EMPTY = "—";

/** mrkdwn has no escape character, so a mark that must not format becomes a lookalike. */
export const LOOKALIKES = { "*": "∗", "`": "ˋ", "~": "∼" } as const;

/** A foreign text without lone surrogates, control characters and hidden characters. */
export function cleanText(text: string): string {
  return removeHidden(text.toWellFormed()).replaceAll(/\r\n?/g, "\n");
}

/** A foreign text in which Slack finds no mention, link or date. */
export function escapeText(text: string): string {
  return cleanText(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A foreign text that neither mentions nor formats anything. */
export function literalText(text: string): string {
  return escapeText(text)
    .replaceAll("*", LOOKALIKES["*"])
    .replaceAll("`", LOOKALIKES["`"])
    .replaceAll("~", LOOKALIKES["~"]);
}

export function literalLine(text: string): string {
  return oneLine(literalText(text));
}
