import { expect, test } from "vitest";
import { shownModel } from "./model-options.ts";

const BUILT_IN = { model: "claude-4-sonnet", modelFrom: "default" } as const;

test.for([
  ["cursor", "claude-4-sonnet"],
  ["rehearsal", "claude-4-sonnet"],
  ["claude", "default"],
  ["codex", "default"],
] as const)("the form of a built-in role shows for %s the model %s", ([runner, shown]) => {
  expect(shownModel(BUILT_IN.model, BUILT_IN, runner)).toBe(shown);
});

test("the form shows a configured or edited model as it is, for every runner", () => {
  const configured = { ...BUILT_IN, modelFrom: "user" } as const;
  expect(shownModel(configured.model, configured, "claude")).toBe("claude-4-sonnet");
  expect(shownModel("opus", BUILT_IN, "claude")).toBe("opus");
  expect(shownModel({ codex: "gpt-5" }, BUILT_IN, "codex")).toEqual({ codex: "gpt-5" });
});
