import { expect, test } from "vitest";
import { markdownTable } from "./markdown-table.ts";

test("markdownTable reads the first table, with its header", () => {
  const text = "結果:\n\n| 名前 | 時間 |\n|---|---:|\n| 佐藤 | 12 |\n| a\\|b | 3 |\n\n以上";
  expect(markdownTable(text)).toEqual([
    ["名前", "時間"],
    ["佐藤", "12"],
    ["a|b", "3"],
  ]);
});

test("markdownTable finds none in a text with a rule or with bars", () => {
  expect(markdownTable("a | b\n\n---\nc")).toBeUndefined();
  expect(markdownTable("")).toBeUndefined();
});
