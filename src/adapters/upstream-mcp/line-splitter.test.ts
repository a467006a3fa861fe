import { expect, test } from "vitest";
import { createLineSplitter } from "./line-splitter.ts";

test("lines come out whole, however the stream was cut, even inside a character", () => {
  const bytes = Buffer.from("一行目\n\n二行目\r\n最後");
  const { lines, splitter } = aSplitter(1_000);
  for (let at = 0; at < bytes.length; at++) splitter.push(bytes.subarray(at, at + 1));
  splitter.end();
  expect(lines).toEqual(["一行目", "二行目\r", "最後"]);
});

test("a line over the limit is reported with its beginning and end, and the next one is read", () => {
  const { lines, tooLong, splitter } = aSplitter(100);
  splitter.push(Buffer.from(`{"id":7,${"x".repeat(600)}`));
  for (let i = 0; i < 1_000; i++) splitter.push(Buffer.from("y".repeat(1_000)));
  splitter.push(Buffer.from('z","id":8}\nnext\n'));
  expect(lines).toEqual(["next"]);
  expect(tooLong).toHaveLength(1);
  expect(tooLong[0]?.head).toMatch(/^\{"id":7,x+$/);
  expect(tooLong[0]?.tail).toMatch(/y+z","id":8\}$/);
});

function aSplitter(maxBytes: number) {
  const lines: string[] = [];
  const tooLong: { head: string; tail: string }[] = [];
  const splitter = createLineSplitter(maxBytes, {
    onLine: (line) => void lines.push(line),
    onTooLong: (head, tail) => void tooLong.push({ head, tail }),
  });
  return { lines, tooLong, splitter };
}
