import { expect, test } from "vitest";
import { languageOf } from "./language.ts";

test.each([
  ["画面を直す", "ja"],
  ["README の unclear points を 3 つ", "ja"],
  ["ｱｲｳ", "ja"],
  ["Find three unclear points in the README", "en"],
  ["Où est la gare ?", "en"],
  ["Find it\n#rehearsal say やあ", "en"],
  ["#rehearsal say hello", "ja"],
  ["123 …", "ja"],
  ["", "ja"],
  ["Rehearsal: you are given step-1 “調査員 (rehearsal)”.", "en"],
  ["\n#rehearsal hang\nRehearsal: 依頼", "en"],
  ["リハーサル: step-1「research」を任されました。", "ja"],
])("%j is answered in %s", (text, language) => {
  expect(languageOf(text)).toBe(language);
});
