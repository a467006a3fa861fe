import { isDirective } from "../directives.ts";
import { languageOf } from "../language.ts";
import { oneLine } from "../read-prompt.ts";
import { TEXTS } from "../texts.ts";
import { findDates, type FoundDate } from "./dates.ts";

/** The parts of a request that can be arguments, found by their form alone. */
export type TextFacts = {
  /** Without directives, in half-width characters: 「９月」 is 「9月」. */
  readonly text: string;
  readonly dates: readonly FoundDate[];
  readonly numbers: readonly number[];
  /** Quoted parts, then words of Latin letters and digits: ids, addresses, file names. */
  readonly words: readonly string[];
  /** For arguments that accept any text. */
  readonly sentence: string;
};

const SENTENCE_CHARS = 80;
const MAX_WORDS = 200;
/** Not inside a word such as an id. */
const NUMBER = /(?<![A-Za-z0-9_.])(?:(?<=^|\s)-)?\d{1,15}(?:\.\d{1,10})?(?![A-Za-z0-9_])/gm;

export function readFacts(request: string, title: string, now: Date): TextFacts {
  const said = request.split("\n").filter((line) => !isDirective(line));
  const text = said.join("\n").normalize("NFKC");
  const quoted = [...text.matchAll(/「([^」\n]{1,100})」|"([^"\n]{1,100})"/g)].map(
    (match) => match[1] ?? match[2] ?? "",
  );
  const latin = text.match(/[A-Za-z0-9][\w.@:/#+-]{0,99}/g) ?? [];
  return {
    text,
    dates: findDates(text, now),
    numbers: (text.match(NUMBER) ?? []).map(Number),
    words: [...quoted, ...latin.map((word) => word.replace(/[.:/,-]+$/, ""))].slice(0, MAX_WORDS),
    sentence: TEXTS[languageOf(request)].simulated(oneLine(title || text, SENTENCE_CHARS)),
  };
}
