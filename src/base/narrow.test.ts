import { expect, test } from "vitest";
import { fieldsOf, isPresent, isRecord, numberOf, parseJson, textOf } from "./narrow.ts";

test("isRecord accepts objects with members, but neither arrays nor null", () => {
  expect([{}, { a: 1 }, new Error("x")].every(isRecord)).toBe(true);
  expect([null, undefined, [], "text", 1, () => 1].some(isRecord)).toBe(false);
});

test("fieldsOf reads a value that is no record as empty", () => {
  expect(fieldsOf({ a: 1 })).toEqual({ a: 1 });
  expect([null, [1], "text"].map(fieldsOf)).toEqual([{}, {}, {}]);
});

test("textOf and numberOf read a value of a wrong type as absent", () => {
  expect([textOf("a"), textOf(""), textOf(1)]).toEqual(["a", "", undefined]);
  expect([numberOf(0), numberOf(Number.NaN), numberOf("1")]).toEqual([0, undefined, undefined]);
});

test("isPresent accepts every value but null and undefined", () => {
  expect([0, "", false].every(isPresent)).toBe(true);
  expect([null, undefined].some(isPresent)).toBe(false);
});

test("parseJson reads a text that is no JSON as undefined", () => {
  expect([parseJson("null"), parseJson('{"a":1}')]).toEqual([null, { a: 1 }]);
  expect([parseJson(""), parseJson('{"a":')]).toEqual([undefined, undefined]);
});
