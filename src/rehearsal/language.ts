import { isDirective } from "./directives.ts";

export type Language = "ja" | "en";

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
const LETTER = /\p{L}/u;
/** An English text of a rehearsal, which may quote Japanese names and words. */
const OURS_IN_ENGLISH = /^\s*Rehearsal: /;

/** The language to answer a person's text in; Japanese if the text does not show it. */
export function languageOf(text: string): Language {
  const own = text
    .split("\n")
    .filter((line) => !isDirective(line))
    .join("\n");
  if (OURS_IN_ENGLISH.test(own)) return "en";
  return JAPANESE.test(own) || !LETTER.test(own) ? "ja" : "en";
}
