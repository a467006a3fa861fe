import { expect, test } from "vitest";
import { inputsOf, isFromResults } from "./fill.ts";
import { readFacts } from "./text-facts.ts";

const NOW = new Date(2026, 10, 15);
const MONTH = { type: "string", pattern: String.raw`^\d{4}-\d{2}$` };
const DAY = { type: "string", format: "date" };

/** The values of the arguments `a`, `b`, …; `~` marks a weak value. */
function filled(request: string, schemas: readonly object[], required = true) {
  const names = schemas.map((_schema, index) => String.fromCodePoint(97 + index));
  const properties = Object.fromEntries(schemas.map((schema, index) => [names[index], schema]));
  const inputs = inputsOf(
    { properties, required: required ? names : [] },
    readFacts(request, "", NOW),
  );
  return inputs.map(({ sure, weak }) =>
    weak === undefined ? sure : `~${JSON.stringify(weak).replaceAll('"', "")}`,
  );
}

test.each([
  ["a month", "9月分を集めて", [MONTH], ["2026-09"]],
  ["a month in full-width digits", "２０２５年９月分", [MONTH], ["2025-09"]],
  ["a month among those there are", "9月分", [{ enum: ["2024-08", "2024-09"] }], ["2024-09"]],
  ["the current year first", "9月分", [{ enum: ["2026-09", "2027-09"] }], ["2026-09"]],
  ["only the year that is stated", "2025年9月分", [{ enum: ["2024-09", "2024-10"] }], [undefined]],
  ["two days in order", "2026-09-01から9月5日", [DAY, DAY], ["2026-09-01", "2026-09-05"]],
  ["one day is not two", "9月5日まで", [DAY, DAY], ["2026-09-05", undefined]],
  ["a month is no day", "9月分", [DAY], [undefined]],
  ["a member that is said", "東京の分", [{ enum: ["大阪", "東京"] }], ["東京"]],
  ["the longer of two", "東京西の分", [{ enum: ["東京", "東京西"] }], ["東京西"]],
  ["a Latin member as a word", "please Append it", [{ enum: ["app", "append"] }], ["append"]],
  ["no member that is not said", "どこかの分", [{ enum: ["大阪", "東京"] }], [undefined]],
  ["the only member", "なにか", [{ enum: ["x"] }], ["x"]],
  ["a const", "なにか", [{ const: 7 }], [7]],
  [
    "an id by its form",
    "AB-12 を見て",
    [{ type: "string", pattern: String.raw`^[A-Z]+-\d+$` }],
    ["AB-12"],
  ],
  ["no id by half a form", "AB-12", [{ type: "string", pattern: "[A-Z]" }], [undefined]],
  ["an address", "a.b@example.com へ", [{ type: "string", format: "email" }], ["a.b@example.com"]],
  ["a quoted name", "「あ い」を", [{ type: "string", pattern: "^[あ-ん ]+$" }], ["あ い"]],
  ["a default", "なにか", [{ type: "integer", default: 5 }], ["~5"]],
  ["a number within its bounds", "3人で10個", [{ type: "integer", minimum: 5 }], ["~10"]],
  ["no number twice", "3人で10個", [{ type: "integer" }, { type: "integer" }], ["~3", "~10"]],
  ["no number inside an id", "AB-12X", [{ type: "integer" }], [undefined]],
  ["no yes or no", "なにか", [{ type: "boolean" }], [undefined]],
  ["no list", "なにか", [{ type: "array" }], [undefined]],
  ["any text", "なにか\n#rehearsal hang", [{ type: "string" }], ["~リハーサル: なにか"]],
  ["any text, in English", "Sum it up", [{ type: "string" }], ["~Rehearsal: Sum it up"]],
  ["any text, cut", "なにか", [{ type: "string", maxLength: 6 }], ["~リハーサル:"]],
  ["one that may be null", "9月", [{ anyOf: [{ type: "null" }, MONTH] }], ["2026-09"]],
  ["no unknown format", "なにか", [{ type: "string", format: "ipv6" }], [undefined]],
])("a required argument takes %s", (_what, request, schemas, expected) => {
  expect(filled(request, schemas)).toEqual(expected);
});

test.each([
  ["a month", "9月分", [MONTH], ["2026-09"]],
  ["a member that is said", "東京の分", [{ enum: ["大阪", "東京"] }], ["東京"]],
  ["no number", "9月分", [{ type: "integer", maximum: 100 }], [undefined]],
  ["no number as a member", "10月分", [{ enum: [10, 20] }], [undefined]],
  ["no text", "なにか", [{ type: "string" }], [undefined]],
  ["no default: the server has it", "なにか", [{ type: "string", default: "x" }], [undefined]],
])("an optional argument takes %s", (_what, request, schemas, expected) => {
  expect(filled(request, schemas, false)).toEqual(expected);
});

test("results of other tools fill required arguments, lists and objects", () => {
  const facts = readFacts("9月分", "", NOW);
  const inputs = inputsOf(
    {
      properties: { a: { type: "string" }, b: MONTH, c: { type: "string" }, d: { type: "array" } },
      required: ["a", "b"],
    },
    facts,
  );

  expect(inputs.filter(isFromResults).map(({ name }) => name)).toEqual(["a", "d"]);
});
