import { expect, test } from "vitest";
import { fit } from "./fit.ts";

const ROW = {
  type: "object",
  properties: { id: { type: "string" }, n: { type: "integer", minimum: 0 } },
  required: ["id"],
  additionalProperties: false,
};

test.each([
  ["a", { type: "string" }],
  [3, { type: "number" }],
  ["2026-09", { type: "string", pattern: String.raw`^\d{4}-\d{2}$` }],
  [10, { type: "integer", minimum: 1, maximum: 10, multipleOf: 5 }],
  [0, { type: "number", multipleOf: 2 }],
  [["a"], { type: "array", items: { type: "string" }, minItems: 1 }],
  [{ a: 1, b: 2 }, { type: "object" }],
  [null, { anyOf: [{ type: "string" }, { type: "null" }] }],
  [{ deep: [1, { x: null }] }, {}],
])("fit accepts %j for %j", (value, schema) => {
  expect(fit(value, schema)).toEqual(value);
});

test.each([
  [1, { type: "string" }],
  [1.5, { type: "integer" }],
  ["2026-9", { type: "string", pattern: String.raw`^\d{4}-\d{2}$` }],
  ["a", { type: "string", pattern: "(" }],
  ["a", { type: "string", pattern: "a".repeat(500) }],
  ["", { type: "string", minLength: 1 }],
  ["😀😀", { type: "string", maxLength: 1 }],
  [11, { type: "integer", maximum: 10 }],
  [10, { type: "integer", exclusiveMaximum: 10 }],
  [7, { type: "integer", multipleOf: 5 }],
  ["c", { enum: ["a", "b"] }],
  ["c", { const: "a" }],
  [["a", 1], { type: "array", items: { type: "string" } }],
  [[], { type: "array", minItems: 1 }],
  [{ n: 1 }, ROW],
  [{ id: 1 }, ROW],
])("fit refuses %j for %j", (value, schema) => {
  expect(fit(value, schema)).toBeUndefined();
});

test("fit leaves out forbidden members, and optional ones that do not fit", () => {
  const rows = [
    { id: "a", n: 1, more: true },
    { id: "b", n: -1 },
  ];

  expect(fit(rows, { type: "array", items: ROW })).toEqual([{ id: "a", n: 1 }, { id: "b" }]);
});
