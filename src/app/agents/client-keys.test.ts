import { expect, test } from "vitest";
import { anAgent } from "../../../test/kit/builders.ts";
import { createClientKeys } from "./client-keys.ts";

test("the id of an agent is no ticket for its keys", () => {
  const keys = createClientKeys();
  const { id } = anAgent();
  keys.remember(id, { GEMINI_API_KEY: "k" });
  expect(keys.lentBy(id)).toBeUndefined();
});

test("lent keys are gone once the command has ended", () => {
  const keys = createClientKeys();
  const end = keys.lend("ticket", { GEMINI_API_KEY: "k" });
  expect(keys.lentBy("ticket")).toEqual({ GEMINI_API_KEY: "k" });
  end();
  expect(keys.lentBy("ticket")).toBeUndefined();
});
