import { isDirective } from "./directives.ts";

export type Language = "ja" | "en";

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
const LETTER = /\p{L}/u;
/** A rehearsal wrote it, in English, and may cite names and words in Japanese. */
const OURS_IN_ENGLISH = /^\s*Rehearsal: /;

/** In which language to answer these words of a person; Japanese where they do not tell. */
export function languageOf(text: string): Language {
  const said = text
    .split("\n")
    .filter((line) => !isDirective(line))
    .join("\n");
  if (OURS_IN_ENGLISH.test(said)) return "en";
  return JAPANESE.test(said) || !LETTER.test(said) ? "ja" : "en";
}
