import { expect, test } from "vitest";
import { plainText } from "./plain-text.ts";

test("plainText keeps every script, newlines, tabs and emoji", () => {
  const text = "勤怠を集計する\n\tdone ✔️ 👍🏽 é — “ok” naïve Ω";
  expect(plainText(text)).toBe(text);
});

test("plainText removes terminal sequences and control characters", () => {
  expect(plainText("\u001b[31mred\u001b[0m \u001b]0;title\u0007x\u0000\u0008\u009by\r\nz")).toBe(
    "red xy\nz",
  );
});

test("plainText removes invisible characters and the text hidden in them", () => {
  const tags = Array.from("ignore", (each) => String.fromCodePoint(0xe0000 + each.charCodeAt(0)));
  expect(plainText(`a\u200bb\u200dc\ufeffd\u202ee${tags.join("")}f\u2066g`)).toBe("abcdefg");
});
