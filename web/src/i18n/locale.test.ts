import { expect, test } from "vitest";
import { localeOf } from "./locale.ts";

test.each([
  [["ja"], "ja"],
  [["ja-JP", "en-US"], "ja"],
  [["JA_jp"], "ja"],
  [["en-US", "ja"], "en"],
  [["jav"], "en"],
  [["de-DE", "ja-JP"], "en"],
  [["en-US@posix"], "en"],
  [[], "ja"],
  [[""], "ja"],
] as const)("a browser with the languages %j gets the dashboard in %s", (languages, locale) => {
  expect(localeOf(languages)).toBe(locale);
});
