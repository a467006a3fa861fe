import { expect, test } from "vitest";
import { isFresh, judge, reasonOf, suggestModels, type Target } from "./health.ts";

const NOW = Date.UTC(2026, 10, 15, 9);
const MODELS = ["auto", "claude-4-sonnet", "claude-4.5-sonnet", "gpt-5.2-codex"];
const KNOWN = { models: MODELS, checkedAt: NOW };
const PASSED = { status: "passed", reason: null, responseMs: 800, checkedAt: NOW } as const;
const FAILED = { ...PASSED, status: "failed", reason: "Not logged in." } as const;

function aTarget(over: Partial<Target> = {}): Target {
  return {
    roleId: "impl-code",
    runner: "cursor",
    model: "claude-4-sonnet",
    access: "read-write",
    defaultModel: null,
    takesOtherModels: false,
    missing: null,
    ...over,
  };
}

test("a valid model that answers makes the role available, in the shape of docs/spec.md", () => {
  expect(judge(aTarget(), KNOWN, PASSED, NOW)).toEqual({
    roleId: "impl-code",
    runner: "cursor",
    model: "claude-4-sonnet",
    modelValidation: { status: "valid", suggestions: [], checkedAt: "2026-11-15T09:00:00.000Z" },
    healthCheck: {
      status: "passed",
      responseTime_ms: 800,
      checkedAt: "2026-11-15T09:00:00.000Z",
      access: "read-write",
    },
    available: true,
  });
});

test("a model the CLI does not list makes the role unavailable, is not asked, and gets suggestions", () => {
  const result = judge(aTarget({ model: "claude-4-sonet" }), KNOWN, PASSED, NOW);
  expect(result).toMatchObject({
    modelValidation: {
      status: "invalid",
      suggestions: expect.arrayContaining(["claude-4-sonnet"]),
    },
    healthCheck: { status: "skipped" },
    available: false,
  });
  expect(reasonOf(result)).toBe('cursor has no model "claude-4-sonet".');
});

test("a failed check makes the role unavailable, with its reason", () => {
  const result = judge(aTarget(), KNOWN, FAILED, NOW);
  expect(result.available).toBe(false);
  expect(reasonOf(result)).toBe("Not logged in.");
});

test("a model that was not checked or cannot be checked leaves the role available", () => {
  expect(judge(aTarget(), undefined, undefined, NOW)).toMatchObject({
    available: true,
    healthCheck: { status: "skipped", reason: "Not checked yet." },
  });
  const unlisted = judge(aTarget(), { models: undefined, checkedAt: NOW }, PASSED, NOW);
  expect(unlisted.available).toBe(true);
  expect(unlisted.modelValidation.message).toMatch(/Not verifiable/);
});

test("a runner that takes models it does not list cannot say that one is invalid", () => {
  const result = judge(
    aTarget({ model: "my-deployment", takesOtherModels: true }),
    KNOWN,
    PASSED,
    NOW,
  );

  expect(result.available).toBe(true);
  expect(result.modelValidation.message).toMatch(/does not list/);
});

test("the runner's default model is valid without a list of models", () => {
  const target = aTarget({ runner: "claude", model: "default", defaultModel: "default" });
  expect(judge(target, KNOWN, PASSED, NOW).available).toBe(true);
});

test("a missing CLI makes the role unavailable, whatever an earlier check found", () => {
  const result = judge(aTarget({ missing: "It is not on PATH." }), KNOWN, PASSED, NOW);
  expect(result.healthCheck.status).toBe("failed");
  expect(reasonOf(result)).toBe("It is not on PATH.");
});

test.each([
  ["claude-4-sonet", "claude-4-sonnet"],
  ["sonnet", "claude-4-sonnet"],
  ["codex-max-high-reasoning", "gpt-5.2-codex"],
  ["o3", "auto"],
])("for %s, %s is suggested first", (model, first) => {
  expect(suggestModels(model, MODELS)[0]).toBe(first);
});

test("an entry is fresh until its TTL has passed, and never if it is from the future", () => {
  expect(isFresh(NOW, NOW + 999, 1_000)).toBe(true);
  expect(isFresh(NOW, NOW + 1_000, 1_000)).toBe(false);
  expect(isFresh(NOW + 5_000, NOW, 1_000)).toBe(false);
});
