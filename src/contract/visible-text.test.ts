import { expect, test } from "vitest";
import { visibleLine, visibleText } from "./visible-text.ts";

/** Every code point that is invisible to a person. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{DI}\p{Zl}\p{Zp}\u2800]/u;

test("every invisible character of Unicode is written out, and none is left out", () => {
  const unseen = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) =>
    UNSEEN.test(String.fromCodePoint(code)),
  );

  const wrong = unseen.filter(
    (code) => visibleLine(`a${String.fromCodePoint(code)}b`) !== `a\\u{${hex(code)}}b`,
  );

  expect(unseen.length).toBeGreaterThan(100_000);
  expect(wrong.map(hex)).toEqual([]);
});

test.each([
  ["tag characters", `pay${tags("all")}`, "pay\\u{E0061}\\u{E006C}\\u{E006C}"],
  ["a zero width space", "pay\u200bpal", "pay\\u{200B}pal"],
  ["a change of direction", "a\u202eb\u2066c", "a\\u{202E}b\\u{2066}c"],
  ["DEL and a C1 control", "a\u007fb\u009bc", "a\\u{7F}b\\u{9B}c"],
  ["an escape sequence", "\u001b[31mred", "\\u{1B}[31mred"],
  ["a lone carriage return", "safe\rrm", "safe\\u{D}rm"],
  ["a lone surrogate", "a\ud800b", "a\\u{D800}b"],
  ["a line separator", "a\u2028b", "a\\u{2028}b"],
  ["a private use character", "a\ue000b", "a\\u{E000}b"],
  ["a variation selector after a letter", "a\ufe0fb", "a\\u{FE0F}b"],
  ["a second selector after an emoji", "❤️\ufe0f", "❤️\\u{FE0F}"],
  ["a joiner between letters", "a\u200db", "a\\u{200D}b"],
  ["joined emoji that are no emoji", "💻\u200d👩", "💻\\u{200D}👩"],
  ["a selector after kana", "あ\u{e0100}", "あ\\u{E0100}"],
  ["a second selector after an ideograph", "葛\u{e0100}\u{e0101}", "葛\u{e0100}\\u{E0101}"],
] as const)("visibleText writes out %s", (_what, text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test.each([
  "勤怠の一覧です。\n\t葛󠄀城市、辻󠄀さん",
  "👩‍💻 と 👩🏽‍💻 と ❤️ と 1️⃣ と 🏴󠁧󠁢󠁥󠁮󠁧󠁿 と 🇯🇵 と 👨‍👩‍👧‍👦",
  "C:\\users\\name, naïve, パーティー、　全角",
])("an ordinary text is shown as it is: %s", (text) => {
  expect(visibleText(text)).toBe(text);
});

test("many ideographic variations could spell a message, so all of them are written out", () => {
  const names = "葛\u{e0100}";

  expect(visibleText(names.repeat(8))).toBe(names.repeat(8));
  expect(visibleText(names.repeat(9))).toBe("葛\\u{E0100}".repeat(9));
});

test("a Windows line end is a line end; in a single line every line end is written out", () => {
  expect(visibleText("a\r\nb\nc")).toBe("a\nb\nc");
  expect(visibleLine("a\r\nb\tc")).toBe("a\\u{D}\\u{A}b\\u{9}c");
});

test("a text that spells an escape does not look like the character", () => {
  expect(visibleText("a\\u{200B}b")).toBe("a\\u{5C}u{200B}b");
  expect(visibleText("a\\u{200B}b")).not.toBe(visibleText("a\u200bb"));
});

test("joined emoji without end are shown, with a bounded number of lookups", () => {
  const chain = "👩\u200d".repeat(50_000);

  expect(visibleText(chain)).toBe("👩\\u{200D}".repeat(50_000));
});

function hex(code: number): string {
  return code.toString(16).toUpperCase();
}

function tags(text: string): string {
  return Array.from(text, (letter) =>
    String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)),
  ).join("");
}
