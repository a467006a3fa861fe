import { expect, test } from "vitest";
import { MAX_MODEL_CHARS, MAX_MODELS, workerDescriptionShape } from "./messages.ts";

const described = (models?: readonly string[]) => ({
  runners: [{ id: "cursor", version: null, ...(models && { models }) }],
});

test("a server takes the models of a worker, also none from an older one, but no endless lists", () => {
  for (const taken of [described(), described(["auto"])]) {
    expect(workerDescriptionShape.parse(taken)).toEqual(taken);
  }
  const many = Array.from({ length: MAX_MODELS + 1 }, (_, index) => `m${index}`);
  const long = ["m".repeat(MAX_MODEL_CHARS + 1)];
  for (const refused of [described(many), described(long)]) {
    expect(workerDescriptionShape.safeParse(refused).success).toBe(false);
  }
});
