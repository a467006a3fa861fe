import { expect, test } from "vitest";
import { summaryLine } from "./summary-line.ts";

const FAMILY = "👨‍👩‍👧‍👦";
const success = (summary: string) => ({ status: "success", summary, errorMessage: null }) as const;

test("summaryLine returns a summary that fits", () => {
  expect(summaryLine(success("Wrote the login."))).toBe("Wrote the login.");
});

test("summaryLine turns line breaks, tabs and control characters into single spaces", () => {
  expect(summaryLine(success("\n\n one\r\n\ttwo\u0007 three \n"))).toBe("one two three");
});

test("summaryLine cuts a long summary at the limit and marks the cut", () => {
  const line = summaryLine(success("あ".repeat(5_000)));

  expect(line).toHaveLength(200);
  expect(line.endsWith("あ…")).toBe(true);
});

test.each([5, 11, 12, 13, 14, 22, 23, 24])(
  "summaryLine with %i characters never cuts inside a grapheme",
  (limit) => {
    const line = summaryLine(success(FAMILY.repeat(10)), limit);

    expect(line.length).toBeLessThanOrEqual(limit);
    expect(line.replaceAll(FAMILY, "")).toBe("…");
  },
);

test("summaryLine leaves out a grapheme that alone is longer than the limit", () => {
  expect(summaryLine(success(`e${"\u0301".repeat(1_000)}`))).toBe("…");
});

test("summaryLine of an agent that did not succeed says why", () => {
  const failed = { status: "failure", summary: "I am reading the files", errorMessage: "No key" };

  expect(summaryLine({ ...failed, status: "failure" })).toBe("No key");
  expect(summaryLine({ ...failed, status: "timeout", errorMessage: null })).toBe(
    "I am reading the files",
  );
});

test("summaryLine skips white space in front of a text", () => {
  expect(summaryLine(success(`${" ".repeat(100_000)}done`))).toBe("done");
});
