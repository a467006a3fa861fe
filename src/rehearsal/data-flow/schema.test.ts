import { describe, expect, test } from "vitest";
import { isCompatible, isStructured, propertiesOf, withoutRefs } from "./schema.ts";

const TEXT = { type: "string" };
const NUMBER = { type: "number" };
const INTEGER = { type: "integer" };

function anObject(properties: object, required = Object.keys(properties)) {
  return { type: "object", properties, required };
}

describe("isCompatible accepts", () => {
  test.each([
    ["the same", TEXT, TEXT],
    ["a narrower number", INTEGER, NUMBER],
    ["one that says nothing", {}, TEXT],
    ["to one that takes anything", TEXT, {}],
    ["one that may be null", { anyOf: [TEXT, { type: "null" }] }, TEXT],
    ["to one that may be null", TEXT, { type: ["string", "null"] }],
    ["a list of the same", { type: "array", items: TEXT }, { type: "array", items: TEXT }],
    ["a list of what nobody described", { type: "array" }, { type: "array", items: TEXT }],
    ["more than is wanted", anObject({ a: TEXT, b: TEXT }), anObject({ a: TEXT })],
    ["without what is optional", anObject({ a: TEXT }), anObject({ a: TEXT, b: TEXT }, ["a"])],
    ["enums that share a member", { enum: ["a", "b"] }, { enum: ["b", "c"] }],
    ["a const of the type", { const: "x" }, TEXT],
  ])("%s", (_name, offered, wanted) => {
    expect(isCompatible(offered, wanted)).toBe(true);
  });
});

describe("isCompatible refuses", () => {
  test.each([
    ["another type", TEXT, NUMBER],
    ["a wider number", NUMBER, INTEGER],
    ["a list for one of them", { type: "array", items: TEXT }, TEXT],
    ["one for a list", TEXT, { type: "array", items: TEXT }],
    ["a list of others", { type: "array", items: TEXT }, { type: "array", items: NUMBER }],
    ["less than is wanted", anObject({ a: TEXT }), anObject({ a: TEXT, b: TEXT })],
    ["a member of another type", anObject({ a: TEXT }), anObject({ a: NUMBER })],
    [
      "only null in common",
      { type: ["string", "null"] },
      { anyOf: [{ type: "number" }, { type: "null" }] },
    ],
    ["enums that share nothing", { enum: ["a"] }, { enum: ["b"] }],
  ])("%s", (_name, offered, wanted) => {
    expect(isCompatible(offered, wanted)).toBe(false);
  });
});

test("withoutRefs follows references inside a schema", () => {
  const schema = {
    ...anObject({ rows: { type: "array", items: { $ref: "#/$defs/row" } } }),
    $defs: { row: anObject({ "a/b": { $ref: "#/$defs/c~1d" } }), "c/d": TEXT },
  };

  expect(withoutRefs(schema)).toEqual(
    anObject({ rows: { type: "array", items: anObject({ "a/b": TEXT }) } }),
  );
});

test("withoutRefs ends for a schema that refers to itself, to nothing or to another document", () => {
  const node = { $ref: "#/$defs/node" };
  const schema = {
    ...anObject({ node, gone: { $ref: "#/$defs/gone" }, far: { $ref: "https://x/y" } }),
    $defs: { node: anObject({ left: node, right: node }) },
  };

  const plain = withoutRefs(schema);

  expect(propertiesOf(plain).map(({ name }) => name)).toEqual(["node", "gone", "far"]);
  expect(plain && isCompatible(plain, plain)).toBe(true);
});

test.each([null, {}, { properties: [] }, { properties: { a: 1 }, required: "a" }])(
  "a useless schema is ignored: %j",
  (schema) => {
    expect(propertiesOf(schema).every(({ isRequired }) => !isRequired)).toBe(true);
  },
);

test("lists and objects are structured, also as one of several variants", () => {
  expect(isStructured({ type: "array" })).toBe(true);
  expect(isStructured({ anyOf: [{ type: "null" }, { properties: {} }] })).toBe(true);
  expect(isStructured(TEXT)).toBe(false);
});
