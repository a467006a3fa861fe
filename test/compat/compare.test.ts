import { expect, test } from "vitest";
import { compare } from "./compare.ts";
import { createNormalizer } from "./normalize.ts";

test.each([
  ["a value", { code: "A" }, { code: "B" }, "$.code"],
  ["a type", { count: 1 }, { count: "1" }, "$.count"],
  ["a missing field", { a: 1 }, {}, "$.a"],
  ["a null that became a value", { a: null }, { a: 1 }, "$.a"],
  ["a text that is gone", { hint: "<text>" }, { hint: "" }, "$.hint"],
  ["a longer list", { list: [1] }, { list: [1, 2] }, "$.list"],
  ["a choice that is gone", { enum: ["a", "b"] }, { enum: ["b", "c"] }, "$.enum"],
  [
    "a choice that is gone from a union",
    { type: "string", enum: ["a"] },
    { anyOf: [{ type: "string", enum: ["b"] }, { type: "array" }] },
    "$.enum",
  ],
  ["a runner that is gone", [{ id: "a", command: null }], [{ id: "b", command: null }], "$.a"],
  [
    "a tool that is gone",
    [{ name: "a", inputSchema: {} }],
    [{ name: "b", inputSchema: {} }],
    "$.a",
  ],
])("the comparison with a recording reports %s", (_what, recorded, now, path) => {
  expect(compare(recorded, now).problems).toEqual([expect.stringContaining(`${path}: was `)]);
});

test("the comparison with a recording allows other texts, new fields and new tools", () => {
  const recorded = { hint: "<text>", tools: [{ name: "a", inputSchema: {} }] };
  const tools = [
    { name: "b", inputSchema: {} },
    { name: "a", inputSchema: {} },
  ];
  expect(compare(recorded, { hint: "clearer", tools, more: 1 })).toEqual({
    problems: [],
    additions: ["$.more", "$.tools.b"],
  });
});

test("the comparison with a recording allows further choices, unions and runners", () => {
  const recorded = {
    schema: { type: "string", enum: ["a"] },
    runners: [{ id: "a", command: null }],
  };
  const now = {
    schema: { anyOf: [{ type: "string", enum: ["b", "a"] }, { type: "array" }] },
    runners: [
      { id: "b", command: null },
      { id: "a", command: null },
    ],
  };
  expect(compare(recorded, now).problems).toEqual([]);
});

test("the normalizer replaces ids, times and texts for people, and keeps codes and texts that were sent", () => {
  const { normalize } = createNormalizer({ "/place": "<dir>" });
  const groupId = "grp-1794738633-daa0";
  const seen = {
    groupId,
    code: "X",
    hint: "Try again",
    title: "互換の題",
    at: 5,
    count: 5,
    path: "/place/a",
  };
  expect(normalize([seen, `${groupId} at 2026-11-15T10:32:35.242Z`])).toEqual([
    { ...seen, groupId: "<grp 1>", hint: "<text>", at: "<number>", path: "<dir>/a" },
    "<grp 1> at <time>",
  ]);
});
