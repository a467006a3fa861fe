import type { Locale } from "../../src/domain/locale.ts";

const segmenters = new Map<Locale, Intl.Segmenter>();

/** Splits a text into words. Japanese has no spaces, so the platform's segmenter does it. */
export function tokenize(text: string, locale: Locale): string[] {
  const segmenter = segmenters.get(locale) ?? new Intl.Segmenter(locale, { granularity: "word" });
  segmenters.set(locale, segmenter);
  // Identifiers such as `run_agents` or `KUROMAJUTSU_BIND` stay one word.
  const identifiers = text.match(/[A-Za-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+)+/g) ?? [];
  const words = [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) =>
    isWordLike === true ? [segment] : [],
  );
  return [...words, ...identifiers].map((word) => word.toLowerCase());
}
