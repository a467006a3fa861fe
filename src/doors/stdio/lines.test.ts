import { expect, test } from "vitest";
import { createLineCutter } from "./lines.ts";

test("lines come out whole however the bytes are cut, also inside a character", () => {
  const text = '一行目\n{"絵文字":"🧙"}\n\n  \n終わり\n';
  const bytes = Buffer.from(text);

  for (let size = 1; size <= bytes.length; size++) {
    const lines: string[] = [];
    const cut = createLineCutter((line) => lines.push(line));
    for (let at = 0; at < bytes.length; at += size) cut(bytes.subarray(at, at + size));
    expect(lines).toEqual(["一行目", '{"絵文字":"🧙"}', "終わり"]);
  }
});
