import { expect, test } from "vitest";
import type { HealthRecord } from "../../../src/app/ports/store.ts";
import type { RunnerProblem } from "../../../src/domain/health/runner-problem.ts";
import { NOON } from "../../kit/builders.ts";
import type { Open } from "./kit.ts";

export function healthAndModels(aStore: Open): void {
  test("the last health check of each runner, model and access is kept", async () => {
    const store = await aStore();
    const failed = aCheck({ status: "failed", reason: "切断", responseMs: null });
    const other = aCheck({ model: "other" });
    const elsewhere = aCheck({ runner: "claude" });
    const reading = aCheck({ access: "read-only", reason: "ok" });

    expect(await store.listHealth()).toEqual([]);
    await store.transaction(async (unit) => {
      for (const check of [failed, other, elsewhere, reading]) await unit.putHealth(check);
    });
    expect(await store.listHealth()).toEqual([elsewhere, reading, failed, other]);

    const passed = aCheck({ checkedAt: NOON + 1 });
    await store.transaction((unit) => unit.putHealth(passed));
    expect(await store.listHealth()).toEqual([elsewhere, reading, passed, other]);
  });

  test("the last list of models of each runner is kept, even an empty one", async () => {
    const store = await aStore();
    const first = { runner: "cursor", models: ["a", "b"], checkedAt: NOON } as const;
    const none = { runner: "claude", models: [], checkedAt: NOON } as const;

    await store.transaction(async (unit) => {
      await unit.putModels(first);
      await unit.putModels(none);
    });
    expect(await store.getModels("cursor")).toEqual(first);
    expect(await store.getModels("claude")).toEqual(none);
    expect(await store.getModels("codex")).toBeUndefined();

    const next = { ...first, models: ["b"], checkedAt: NOON + 1 };
    await store.transaction((unit) => unit.putModels(next));
    expect(await store.getModels("cursor")).toEqual(next);
  });

  test("the problem of each runner is kept until it is deleted", async () => {
    const store = await aStore();
    const paused: RunnerProblem = {
      runner: "claude",
      kind: "quota",
      reason: "上限",
      since: NOON,
      until: NOON + 1,
      isResetKnown: true,
      count: 2,
    };
    const signedOut: RunnerProblem = {
      ...paused,
      runner: "codex",
      kind: "signed-out",
      until: null,
      isResetKnown: false,
    };

    expect(await store.listRunnerProblems()).toEqual([]);
    await store.transaction(async (unit) => {
      await unit.putRunnerProblem(signedOut);
      await unit.putRunnerProblem({ ...paused, kind: "overloaded" });
      await unit.putRunnerProblem(paused);
      expect(await unit.listRunnerProblems()).toEqual([paused, signedOut]);
    });
    await store.transaction((unit) => unit.deleteRunnerProblem("codex"));
    expect(await store.listRunnerProblems()).toEqual([paused]);
  });
}

function aCheck(over: Partial<HealthRecord> = {}): HealthRecord {
  return {
    runner: "cursor",
    model: "claude-4-sonnet",
    access: "read-write",
    status: "passed",
    reason: null,
    responseMs: 1_200,
    checkedAt: NOON,
    ...over,
  };
}
