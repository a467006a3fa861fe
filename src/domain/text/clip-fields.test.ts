import { expect, test } from "vitest";
import { clipFields } from "./clip-fields.ts";

const LIMITS = { maxChars: 1_000, maxTextChars: 100 };
const MEGABYTES = 10 * 1_048_576;

const weight = (value: unknown) => JSON.stringify(value).length;

test("clipFields returns the same object if the fields fit", () => {
  const fields = { tool: "write", args: { rows: [{ name: "田中" }, null, 3, true] }, content: "a" };

  expect(clipFields(fields, LIMITS)).toBe(fields);
  const nearly = { content: "x".repeat(900) };
  expect(clipFields(nearly, LIMITS)).toBe(nearly);
});

test("clipFields cuts a long text so that later fields have room", () => {
  const clipped = clipFields({ content: "x".repeat(MEGABYTES), version: 2, by: "aoi" }, LIMITS);

  expect(clipped).toEqual({ content: `${"x".repeat(100)}…`, version: 2, by: "aoi" });
});

test("clipFields never cuts inside a character", () => {
  const clipped = clipFields({ content: `x${"😀".repeat(2_000)}` }, LIMITS);

  expect(clipped["content"]).toBe(`x${"😀".repeat(49)}…`);
});

test.for([
  ["numbers", { args: Array.from({ length: 1_000_000 }, (_, index) => index) }],
  ["rows", { args: Array.from({ length: 100_000 }, () => ({ name: "y".repeat(90) })) }],
  ["names", { args: Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [at, ""])) }],
  ["a long name", { ["n".repeat(MEGABYTES)]: 1 }],
  ["short texts", { args: Array.from({ length: 500_000 }, () => "やあ") }],
  ["depth", { args: nested(100_000) }],
] as const)("clipFields limits the size of any value: %s", ([, fields]) => {
  const clipped = clipFields(fields, LIMITS);

  expect(clipped).not.toBe(fields);
  expect(weight(clipped)).toBeLessThan(3 * LIMITS.maxChars);
});

function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let at = 0; at < depth; at++) value = [value];
  return value;
}
