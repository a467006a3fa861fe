import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";
import { createLineReader } from "./line-reader.ts";

const FOREVER = Infinity;

function aReader(content: string, options: { from?: number; maxLineBytes?: number } = {}) {
  const path = join(aTempDir(), "out");
  const lines: string[] = [];
  writeFileSync(path, content);
  const reader = createLineReader({
    path,
    from: options.from ?? 0,
    maxLineBytes: options.maxLineBytes ?? 1_000_000,
    handler: {
      onLine: (bytes, start, end, at) => lines.push(`${at}:${bytes.toString("utf8", start, end)}`),
      onTooLong: () => lines.push("too long"),
    },
  });
  onTestFinished(reader.close);
  return { path, lines, reader };
}

test("each line comes with its position, and the offset is the end of a line", () => {
  const { reader, lines } = aReader("a\n\nbc\nhal");

  expect(reader.read(FOREVER)).toBe(false);

  expect(lines).toEqual(["0:a", "2:", "3:bc"]);
  expect(reader.offset).toBe(6);
});

test("a line that is written in pieces is read once, whole", () => {
  const { reader, lines, path } = aReader("ab");

  for (const piece of ["", "c", "d\nx", "y\n"]) {
    appendFileSync(path, piece);
    reader.read(FOREVER);
  }

  expect(lines).toEqual(["0:abcd", "5:xy"]);
});

test("lines are whole wherever the chunks are cut", () => {
  const long = "黒魔術".repeat(40_000);
  const { reader, lines } = aReader(`${long}\nb\n${long}\n`);

  reader.read(FOREVER);

  expect(lines).toEqual([`0:${long}`, "360001:b", `360003:${long}`]);
});

test("a line over the limit is skipped, whether it fits into a chunk or not", () => {
  const { reader, lines, path } = aReader(`${"x".repeat(101)}\nb\n${"y".repeat(600_000)}`, {
    maxLineBytes: 100,
  });

  reader.read(FOREVER);
  expect(reader.offset).toBe(104);
  appendFileSync(path, "\nc\n");
  reader.read(FOREVER);

  expect(lines).toEqual(["too long", "102:b", "too long", "600105:c"]);
});

test("a last line without a newline is read when the file is finished", () => {
  const { reader, lines } = aReader("a\nb");
  reader.read(FOREVER);

  reader.finish();

  expect(lines).toEqual(["0:a", "2:b"]);
  expect(reader.offset).toBe(3);
});

test("a reader that is out of time stops at the end of a line and goes on there", () => {
  const { reader, lines } = aReader("a\n".repeat(100));

  expect(reader.read(0)).toBe(true);
  expect(lines).toHaveLength(32);
  while (reader.read(0));

  expect(lines).toHaveLength(100);
  expect(reader.offset).toBe(200);
});

test("a reader starts at a stored offset, and treats a missing file as empty", () => {
  const { reader, lines } = aReader("a\nb\n", { from: 2 });
  reader.read(FOREVER);
  expect(lines).toEqual(["2:b"]);

  const handler = { onLine: () => {}, onTooLong: () => {} };
  const path = join(aTempDir(), "none");
  const missing = createLineReader({ path, from: 0, maxLineBytes: 9, handler });
  expect(missing.read(FOREVER)).toBe(false);
  expect(missing.size()).toBe(0);
});
