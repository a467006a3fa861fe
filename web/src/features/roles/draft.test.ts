import { expect, test } from "vitest";
import { errorsOf, isAllowed, isRoleId } from "./draft.ts";

const WORDS = {
  empty: "empty",
  model: "model",
  modelNone: "none",
  id: "id",
  idTaken: "taken",
  mcp: "mcp",
};

test("texts of a role must not be empty", () => {
  expect(errorsOf({ name: " ", description: "x" }, WORDS)).toEqual({ name: "empty" });
});

test.for([
  ["sonnet-4.5 thinking", {}],
  ["", { model: "empty" }],
  ["--dangerous", { model: "model" }],
  ["two\nlines", { model: "model" }],
] as const)("the model %j gives %j", ([model, errors]) => {
  expect(errorsOf({ model }, WORDS)).toEqual(errors);
});

test("a model for each runner needs at least one, and each is checked", () => {
  expect(errorsOf({ model: {} }, WORDS)).toEqual({ model: "none" });
  expect(errorsOf({ model: { cursor: "auto", claude: "-x" } }, WORDS)).toEqual({ model: "model" });
});

test("a role id is lower case letters, digits and hyphens", () => {
  expect(["impl-code", "9-lives"].every(isRoleId)).toBe(true);
  expect(["", "-x", "Impl", "a b", "a".repeat(41)].some(isRoleId)).toBe(false);
});

test("an allowed server is a name, a tool of it, or all", () => {
  expect(["*", "sheets", "sheets/write"].every(isAllowed)).toBe(true);
  expect(["", "/x", "sheets/", "she ets"].some(isAllowed)).toBe(false);
});
