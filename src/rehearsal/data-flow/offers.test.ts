import { expect, test } from "vitest";
import { findInResults, isOffered } from "./offers.ts";

const TEXT = { type: "string" };
const LIST = { type: "array", items: TEXT };

function anInput(name: string, schema: object) {
  return { name, schema: { ...schema }, isRequired: true };
}

const OUTPUT = {
  type: "object",
  properties: {
    top: TEXT,
    inner: { type: "object", properties: { inside: TEXT, deep: { properties: { deeper: TEXT } } } },
    items: { type: "array", items: { type: "object", properties: { id: TEXT } } },
    notification: TEXT,
  },
};
const RESULT = {
  top: "t",
  inner: { inside: "i", deep: { deeper: "d" } },
  items: [{ id: "1" }, { id: "2" }, { id: "1" }],
  notification: "通知",
};

test.each([
  ["at the top", "top", TEXT, "t"],
  ["one level inside", "inside", TEXT, "i"],
  ["from all items of a list, each once", "id", LIST, ["1", "2"]],
  ["a list as it is", "items", { type: "array" }, RESULT.items],
])("data is offered %s", (_where, name, schema, expected) => {
  const input = anInput(name, schema);

  expect(isOffered(OUTPUT, input)).toBe(true);
  expect(findInResults([RESULT], input)).toEqual(expected);
});

test.each([
  ["two levels inside", "deeper", TEXT],
  ["one of the items: which one would be a guess", "id", TEXT],
  ["of another type", "top", { type: "number" }],
  ["of another name", "Top", TEXT],
  ["our own line", "notification", TEXT],
  ["a name that every object has", "constructor", {}],
])("data is not offered %s", (_where, name, schema) => {
  const input = anInput(name, schema);

  expect(isOffered(OUTPUT, input)).toBe(false);
  expect(findInResults([RESULT], input)).toBeUndefined();
});

test("a tool without an output schema offers nothing", () => {
  expect(isOffered(null, anInput("top", TEXT))).toBe(false);
});

test("findInResults takes the newest result that fits", () => {
  const results = [{ n: "old" }, { n: "new" }, { n: 5 }, { n: null }];

  expect(findInResults(results, anInput("n", TEXT))).toBe("new");
});

test("items of which some lack the member do not form a list", () => {
  expect(findInResults([{ items: [{ id: "1" }, {}] }], anInput("id", LIST))).toBeUndefined();
});
