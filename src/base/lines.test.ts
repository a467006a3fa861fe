import { expect, test } from "vitest";
import { createLineSplitter } from "./lines.ts";

test("a line splitter returns whole lines wherever the bytes are cut, also inside a character", () => {
  const bytes = Buffer.from('一行目\n{"絵文字":"🧙"}\n\n  \n二行目\r\n最後');
  for (let size = 1; size <= bytes.length; size++) {
    const { lines, splitter } = aSplitter();
    for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size));
    splitter.end();
    expect(lines).toEqual(["一行目", '{"絵文字":"🧙"}', "二行目\r", "最後"]);
  }
});

test("a line splitter keeps a line without a newline until the end", () => {
  const { lines, splitter } = aSplitter();
  splitter.push(Buffer.from("一行目\n最"));
  expect(lines).toEqual(["一行目"]);
  splitter.push(Buffer.from("後"));
  splitter.end();
  splitter.end();
  expect(lines).toEqual(["一行目", "最後"]);
});

test("a line splitter reports the beginning and end of a line over the limit and reads on", () => {
  const { lines, tooLong, splitter } = aSplitter(100);
  splitter.push(Buffer.from(`{"id":7,${"x".repeat(600)}`));
  for (let i = 0; i < 1_000; i++) splitter.push(Buffer.from("y".repeat(1_000)));
  splitter.push(Buffer.from('z","id":8}\nnext\n'));
  expect(lines).toEqual(["next"]);
  expect(tooLong).toHaveLength(1);
  expect(tooLong[0]?.head).toMatch(/^\{"id":7,x+$/);
  expect(tooLong[0]?.tail).toMatch(/y+z","id":8\}$/);
});

test("a line splitter is not confused by a handler that throws", () => {
  const lines: string[] = [];
  const splitter = createLineSplitter((line) => {
    if (line === "bad") throw new Error("bad");
    lines.push(line);
  });
  expect(() => splitter.push(Buffer.from("bad\n"))).toThrow("bad");
  splitter.push(Buffer.from("good\n"));
  expect(lines).toEqual(["good"]);
});

function aSplitter(maxBytes = Infinity) {
  const lines: string[] = [];
  const tooLong: { head: string; tail: string }[] = [];
  const splitter = createLineSplitter((line) => void lines.push(line), {
    maxBytes,
    onTooLong: (head, tail) => void tooLong.push({ head, tail }),
  });
  return { lines, tooLong, splitter };
}
