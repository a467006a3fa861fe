import { isRecord } from "../../../src/base/narrow.ts";

/** The fields that have texts or contain other fields that have them, in the order of reading. */
const SHOWN = [
  "view",
  "title",
  "pretext",
  "text",
  "label",
  "fields",
  "accessory",
  "element",
  "elements",
  "blocks",
  "attachments",
  "submit",
];

/** All texts that a message or a view shows, one per line. */
export function textsOf(value: unknown): string {
  return shownTexts(value).join("\n");
}

function shownTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(shownTexts);
  return isRecord(value) ? SHOWN.flatMap((name) => shownTexts(value[name])) : [];
}
