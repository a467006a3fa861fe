import type { Options } from "minisearch";
import type { Locale } from "../../src/domain/locale.ts";
import { tokenize } from "./tokenize.ts";

/** One heading of a page with the text below it. */
export type Passage = {
  readonly id: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
};

/** The index is written by the build and read by the browser, so both must use the same options. */
export function searchOptions(locale: Locale): Options<Passage> {
  return {
    fields: ["heading", "page", "text"],
    storeFields: ["page", "heading", "text"],
    tokenize: (text) => tokenize(text, locale),
    searchOptions: {
      boost: { heading: 3, page: 2 },
      prefix: true,
      fuzzy: fuzziness,
      combineWith: "AND",
    },
  };
}

/** Short words have too many neighbours: "block" is not "clock". */
function fuzziness(term: string): number | false {
  return term.length > 6 ? 0.15 : false;
}
