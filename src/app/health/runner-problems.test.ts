import { expect, test } from "vitest";
import { NOON } from "../../../test/kit/builders.ts";
import { aCore, aRole, type ACore, type TestCore } from "../../../test/kit/core.ts";
import { aWorkerRow, workersOf } from "../../../test/kit/worker-rows.ts";
import type { Failure, RunnerId } from "../../domain/agents/runner.ts";
import { hostProblemAt, type HostProblem } from "../../domain/health/host-problem.ts";
import { problemAfter } from "../../domain/health/runner-problem.ts";
import type { Role } from "../../domain/roles/role.ts";
import type { ProbeAnswer } from "../ports/health.ts";
import type { Clock } from "../ports/world.ts";
import { availabilityOf } from "../roles/role-availability.ts";
import { connectedWorkers, isUsableOnWorkers } from "../workers/connected-workers.ts";
import { checkHealth } from "./check-health.ts";
import { checkRunner } from "./check-runner.ts";
import { createHealth } from "./health.ts";
import { createHostProblems } from "./host-problems.ts";

const SIGNED_OUT: Failure = { kind: "signed-out", resetsAt: null };
const QUOTA: Failure = { kind: "quota", resetsAt: null };

type Checked = TestCore & {
  /** The CLIs that were asked, in order. */
  readonly asked: string[];
  answer(runner: RunnerId, failure: Failure | null): void;
};

/** A core whose CLIs answer health checks as the test says; by default they pass. */
async function aCheckedCore(role: Role, over: ACore = {}): Promise<Checked> {
  const runners: RunnerId[] = ["claude", "codex", "opencode"];
  const core = await aCore({ runners, roles: [role], ...over });
  for (const id of runners) core.installed.add(id);
  const failures = new Map<string, Failure>();
  const asked: string[] = [];
  return {
    ...core,
    asked,
    answer: (runner, failure) =>
      void (failure ? failures.set(`/bin/${runner}`, failure) : failures.delete(`/bin/${runner}`)),
    healthProbe: {
      async ask({ executable }): Promise<ProbeAnswer> {
        asked.push(executable);
        const failure = failures.get(executable);
        if (!failure) return { ok: true, reason: null, responseMs: 1, failure: null };
        const { kind, resetsAt } = failure;
        return { ok: false, reason: "No.", responseMs: null, failure: kind, resetsAt };
      },
    },
  };
}

const ONE = aRole({ runner: "claude" });
const LIST = aRole({ runner: ["claude", "codex"] });

test("a check that finds its CLI signed out makes the role unavailable until a check passes", async () => {
  const core = await aCheckedCore(ONE);
  core.answer("claude", SIGNED_OUT);
  await checkHealth(core);
  expect(core.health.problem("claude")).toMatchObject({ kind: "signed-out", reason: "No." });
  expect(core.health.get(ONE.id)).toMatchObject({ available: false });

  core.answer("claude", null);
  await checkHealth(core);
  expect(await core.store.listRunnerProblems()).toEqual([]);
  expect(core.health.get(ONE.id)).toMatchObject({ available: true });
});

test("a check at a limit pauses the runner and leaves its roles available", async () => {
  const core = await aCheckedCore(ONE);
  core.answer("claude", QUOTA);

  await checkHealth(core);

  expect(core.health.problem("claude")).toMatchObject({ kind: "quota" });
  expect(core.health.get(ONE.id)).toMatchObject({
    available: true,
    healthCheck: { status: "skipped", reason: "No." },
  });
  expect(await core.store.listHealth()).toEqual([]);
});

test("a check that passes ends a pause early, although an earlier check is still fresh", async () => {
  const core = await aCheckedCore(ONE);
  await checkHealth(core);
  core.answer("claude", QUOTA);
  await checkHealth(core, { force: true });
  core.answer("claude", null);

  await checkHealth(core);

  expect(core.health.problems()).toEqual([]);
});

test("a role whose first CLI is signed out is checked with the next one of its list", async () => {
  const core = await aCheckedCore(LIST);
  core.answer("claude", SIGNED_OUT);

  await checkHealth(core);

  expect(core.asked).toEqual(["/bin/claude", "/bin/codex"]);
  expect(core.health.all()).toMatchObject([
    { roleId: LIST.id, runner: "codex", available: true, healthCheck: { status: "passed" } },
  ]);
});

test("a CLI that was passed over is asked again, and used again once it is signed in", async () => {
  const core = await aCheckedCore(LIST);
  core.answer("claude", SIGNED_OUT);
  await checkHealth(core);
  await checkHealth(core);
  expect(core.health.problem("claude")).toBeDefined();

  core.answer("claude", null);
  await checkHealth(core);

  expect(core.health.all()).toMatchObject([{ runner: "claude", available: true }]);
});

test("a check of the CLI alone ends its problem, and its roles are available at once", async () => {
  const core = await aCheckedCore(ONE);
  core.answer("claude", SIGNED_OUT);
  await checkHealth(core);
  const claude = core.runners.get("claude");
  if (!claude) throw new Error("There is no runner.");
  expect(availabilityOf(core, ONE, claude).available).toBe(false);

  core.answer("claude", null);
  await checkRunner(core, "claude");
  expect(availabilityOf(core, ONE, claude).available).toBe(true);

  core.answer("claude", QUOTA);
  await checkRunner(core, "claude");
  expect(core.health.problem("claude")).toMatchObject({ kind: "quota" });
  core.answer("claude", null);
  await checkRunner(core, "claude");
  expect(await core.store.listRunnerProblems()).toEqual([]);
});

test("a CLI that signs in per model is not signed out because one model is", async () => {
  const core = await aCheckedCore(aRole({ runner: "opencode", model: "a/b", modelFrom: "user" }));
  const opencode = core.runners.get("opencode");
  if (!opencode) throw new Error("There is no runner.");
  const runners = new Map([["opencode" as const, { ...opencode, signsInPerModel: true as const }]]);
  core.answer("opencode", SIGNED_OUT);

  await checkHealth({ ...core, runners });
  expect(core.health.problems()).toEqual([]);
  expect(core.health.all()).toMatchObject([{ available: false }]);

  await checkRunner({ ...core, runners }, "opencode");
  expect(core.health.problem("opencode")).toMatchObject({ kind: "signed-out" });
});

test("a daemon without health checks does not recall that a CLI was signed out", async () => {
  const core = await aCheckedCore(ONE);
  core.answer("claude", SIGNED_OUT);
  await checkHealth(core);
  const { healthCheck } = core.settings;
  const restarted = (enabled: boolean) =>
    aCheckedCore(ONE, {
      store: core.store,
      settings: { healthCheck: { ...healthCheck, enabled } },
    });

  expect((await restarted(true)).health.problem("claude")).toMatchObject({ kind: "signed-out" });
  expect((await restarted(false)).health.problems()).toEqual([]);
});

test("a health check ends although every CLI of a list fails", async () => {
  const core = await aCheckedCore(LIST);
  core.answer("claude", SIGNED_OUT);
  core.answer("codex", QUOTA);

  await checkHealth(core);

  expect(core.health.problems()).toHaveLength(2);
  expect(core.health.step).toBe(3);
});

/** A server whose workers have these problems with Claude Code. */
const serverWith = (problems: readonly HostProblem[]): ACore => {
  const workers = workersOf([aWorkerRow("wrk-1", { runners: ["claude"], problems })]);
  const hosts = (clock: Clock) => ({ hostProblems: createHostProblems(clock), workers });
  return { serverId: "here", hosts };
};

test("a check that finds the CLI of a server signed out says nothing about its workers", async () => {
  const core = await aCheckedCore(ONE, serverWith([]));
  core.answer("claude", SIGNED_OUT);

  await checkHealth(core);

  expect(core.hostProblems?.all()).toMatchObject([{ runner: "claude", kind: "signed-out" }]);
  expect(await core.store.listRunnerProblems()).toEqual([]);
  expect(await core.store.listHealth()).toEqual([]);
  expect(core.health.get(ONE.id)).toMatchObject({ available: true });

  core.answer("claude", null);
  await checkHealth(core);
  expect(core.hostProblems?.all()).toEqual([]);
});

test("a check that finds the CLI of a server signed out makes the role unavailable if its workers are signed out, too", async () => {
  const there = hostProblemAt(NOON, { runner: "claude", kind: "signed-out", reason: "No." });
  const core = await aCheckedCore(ONE, serverWith([there]));
  core.answer("claude", SIGNED_OUT);

  await checkHealth(core);

  expect(core.health.problem("claude")).toMatchObject({ kind: "signed-out" });
  expect(core.health.get(ONE.id)).toMatchObject({ available: false });
});

test("a sign-out is no problem of the runner while a worker can use the CLI, a limit is", async () => {
  const clock = { now: () => NOON };
  const workers = workersOf([aWorkerRow("wrk-1", { runners: ["claude"] })]);
  const health = createHealth(clock, (runner) => isUsableOnWorkers(workers, runner, NOON));
  const seen = { runner: "claude", resetsAt: null, reason: "No.", now: NOON } as const;
  const out = problemAfter(undefined, { ...seen, kind: "signed-out" });
  health.setProblem(out);
  expect(health.problem("claude")).toEqual(out);

  await connectedWorkers({ workers });
  expect([health.problem("claude"), ...health.problems()]).toEqual([undefined]);
  expect(health.knownProblem("claude")).toEqual(out);

  const limit = problemAfter(undefined, { ...seen, kind: "quota" });
  health.setProblem(limit);
  expect(health.problem("claude")).toEqual(limit);
});
