import { expect, test } from "vitest";
import { brokenCli } from "../../../test/kit/broken-clis.ts";
import { aRole } from "../../../test/kit/core.ts";
import { eventually } from "../../../test/kit/fake-agent/supervised.ts";
import { aHealthCore, type HealthCore } from "../../../test/kit/health.ts";
import { checkHealth, startHealthChecks } from "./check-health.ts";

const FOUR_MODELS = ["claude-4-sonnet", "claude-4.5-sonnet", "gpt-5", "claude-4-sonnet"].map(
  (model, index) => aRole({ id: `role-${index}`, model, healthCheckPrompt: `I am ${index}` }),
);

const started = (core: HealthCore) => core.asked().filter((line) => line.startsWith("start"));
const types = (core: HealthCore) =>
  core.published.map(({ type }) => type.replace("healthcheck:", ""));

test("roles with the same runner, model and access share one check, and each gets a result", async () => {
  const roles = [aRole(), aRole({ id: "impl-test" })];
  const core = await aHealthCore({ folder: brokenCli("counts"), roles });
  await checkHealth(core);
  expect(core.asked()).toEqual([
    "start claude-4-sonnet Hello, respond with exactly: OK",
    "end claude-4-sonnet",
  ]);
  expect(core.health.all().map(({ roleId, available }) => [roleId, available])).toEqual([
    ["impl-code", true],
    ["impl-test", true],
  ]);
  expect(types(core)).toEqual([
    "model_validation",
    "role_start",
    "role_start",
    "role_complete",
    "role_complete",
    "runner_complete",
    "complete",
  ]);
  expect(core.published.at(-1)?.data).toMatchObject({ total: 2, available: 2 });
  expect(core.published[3]?.data).toMatchObject({
    roleId: "impl-code",
    modelValidation: { status: "valid" },
    healthCheck: { status: "passed", responseTime_ms: expect.any(Number) },
    available: true,
  });
});

test("a health check is valid only for its access mode: a read-only check says nothing about read-write", async () => {
  const core = await aHealthCore({ folder: brokenCli("counts") });
  await checkHealth(core);
  expect(started(core)).toHaveLength(2);
  const known = await core.store.listHealth();
  expect(known.map(({ access, status }) => [access, status])).toEqual([
    ["read-only", "passed"],
    ["read-write", "passed"],
  ]);

  const [reading] = known;
  const next = await aHealthCore({ folder: brokenCli("no-trust") });
  await next.store.transaction(async (unit) => {
    if (reading) await unit.putHealth(reading);
  });
  await checkHealth(next);
  expect(next.health.get("code-review")).toMatchObject({
    available: true,
    healthCheck: { status: "passed", access: "read-only" },
  });
  expect(next.health.get("impl-code")).toMatchObject({
    available: false,
    healthCheck: { status: "failed", access: "read-write" },
  });
});

test("a health check asks different models concurrently, up to the limit", async () => {
  const core = await aHealthCore({ folder: brokenCli("counts"), roles: FOUR_MODELS, sleep: "0.3" });
  await checkHealth(core);
  let alive = 0;
  const most = core.asked().map((line) => (alive += line.startsWith("start") ? 1 : -1));
  expect(Math.max(...most)).toBe(2);
  expect(started(core)).toHaveLength(3);
});

test("a passed health check is cached, also across a restart, until it expires", async () => {
  const first = await aHealthCore({ folder: brokenCli("counts"), roles: [aRole()] });
  await checkHealth(first);
  await checkHealth(first);
  const next = first.restarted();
  await checkHealth(next);
  expect(started(next)).toHaveLength(1);
  expect(next.health.get("impl-code")).toMatchObject({ healthCheck: { status: "passed" } });

  next.advance(600_000);
  await checkHealth(next);
  expect(started(next)).toHaveLength(2);
});

test("a forced health check ignores the cache and uses the prompt of the named role", async () => {
  const core = await aHealthCore({ folder: brokenCli("counts"), roles: FOUR_MODELS });
  await checkHealth(core);
  core.published.length = 0;
  await checkHealth(core, { roleIds: ["role-3"], force: true });
  expect(started(core).at(-1)).toBe("start claude-4-sonnet I am 3");
  expect(started(core)).toHaveLength(4);
  const completed = core.published.flatMap((event) =>
    event.type === "healthcheck:role_complete" ? event.data.roleId : [],
  );
  // role-0 has the same model, so the check applies to it too.
  expect(completed).toEqual(["role-0", "role-3"]);
});

test("a health check of an unknown role is refused", async () => {
  const core = await aHealthCore({ folder: brokenCli("counts") });
  await expect(checkHealth(core, { roleIds: ["nobody"] })).rejects.toMatchObject({
    code: "ROLE_NOT_FOUND",
  });
});

test("a failed health check is known after a restart, and is repeated without a request", async () => {
  const first = await aHealthCore({ folder: brokenCli("fails") });
  await checkHealth(first);
  expect(first.health.get("impl-code")).toMatchObject({
    healthCheck: { status: "failed", reason: expect.stringContaining("Authentication required") },
    available: false,
  });
  const next = first.restarted();
  next.use(brokenCli("counts"));
  await checkHealth(next);
  expect(next.health.get("impl-code")).toMatchObject({ available: true });
});

test("the health check logs a warning for every unavailable role, with the reason and suggestions", async () => {
  const roles = [aRole({ model: "claude-4-sonet", modelFrom: "user" }), aRole({ id: "ok" })];
  const core = await aHealthCore({ folder: brokenCli("counts"), roles });
  await checkHealth(core);
  expect(core.warnings).toEqual([
    {
      message: "Role is not available.",
      fields: {
        role: "impl-code",
        runner: "cursor",
        model: "claude-4-sonet",
        reason: 'cursor has no model "claude-4-sonet".',
        suggestions: "claude-4-sonnet, claude-4.5-sonnet",
      },
    },
  ]);
  expect(started(core)).toEqual(["start claude-4-sonnet Hello, respond with exactly: OK"]);
  expect(core.health.get("impl-code")).toMatchObject({ healthCheck: { status: "skipped" } });
});

test("before a cached list of models makes a role unavailable, the CLI is asked again", async () => {
  const core = await aHealthCore({
    folder: brokenCli("never-exits"),
    roles: [aRole({ model: "gpt-5" })],
  });
  await checkHealth(core);
  expect(core.health.get("impl-code")?.modelValidation.status).toBe("invalid");
  core.use(brokenCli("counts"));
  await checkHealth(core);
  expect(core.health.get("impl-code")?.modelValidation.status).toBe("valid");
});

test("a CLI that runs but cannot list its models is available, and the result says what is not verified", async () => {
  const core = await aHealthCore({ folder: brokenCli("models-fail") });
  await checkHealth(core);
  expect(core.health.get("impl-code")).toMatchObject({
    modelValidation: {
      status: "valid",
      message: "Not verifiable: cursor did not name its models.",
    },
    healthCheck: { status: "passed" },
    available: true,
  });
});

test("a CLI that always hangs delays the health check only by its time limits", async () => {
  const core = await aHealthCore({
    folder: brokenCli("hangs"),
    settings: {
      healthCheck: { enabled: true, cacheTtlMs: 600_000, timeoutMs: 300, concurrency: 2 },
    },
  });
  startHealthChecks(core);
  expect(core.health.state).toBe("running");
  await eventually("the check to end", () => core.health.state === "idle" || undefined);
  expect(core.health.get("impl-code")).toMatchObject({
    healthCheck: { status: "failed", reason: "No answer within 0.3 s." },
  });
});

test("the health check does not ask a CLI that is not installed", async () => {
  const core = await aHealthCore({ folder: "/nowhere", roles: [aRole({ runner: "cursor" })] });
  await checkHealth(core);
  expect(core.health.get("impl-code")).toMatchObject({
    healthCheck: { status: "failed", reason: expect.stringContaining("not found on PATH") },
    available: false,
  });
});

test("rehearsal is healthy without a process, and says so", async () => {
  const core = await aHealthCore({ folder: "/nowhere" });
  await checkHealth(core);
  expect(core.health.get("impl-code")).toMatchObject({
    runner: "rehearsal",
    modelValidation: { status: "valid", message: "A rehearsal works with any model name." },
    healthCheck: { status: "passed", reason: "rehearsal: no model is asked" },
    available: true,
  });
});

test("requests during a health check are merged into one more check of all their roles", async () => {
  const core = await aHealthCore({ folder: brokenCli("counts"), roles: FOUR_MODELS, sleep: "0.2" });
  const first = checkHealth(core, { roleIds: ["role-0"] });
  const others = [
    checkHealth(core, { roleIds: ["role-1"], force: true }),
    checkHealth(core, { roleIds: ["role-2"] }),
    checkHealth(core, { roleIds: ["role-1"] }),
  ];
  await Promise.all([first, ...others]);
  expect(types(core).filter((type) => type === "complete")).toHaveLength(2);
  expect(started(core).toSorted()).toEqual([
    "start claude-4-sonnet I am 0",
    "start claude-4.5-sonnet I am 1",
    "start gpt-5 I am 2",
  ]);
});

test("stopping the daemon aborts a health check without a record, and the next daemon repeats it", async () => {
  const core = await aHealthCore({ folder: brokenCli("hangs") });
  const running = checkHealth(core);
  await eventually("the CLI to be asked", () => core.health.step === 2 || undefined);
  await core.health.close();
  await running;
  expect(await core.store.listHealth()).toEqual([]);

  const next = core.restarted();
  next.use(brokenCli("counts"));
  await checkHealth(next);
  expect(next.health.get("impl-code")).toMatchObject({ available: true });
});

test("a health check completes even if its result cannot be stored", async () => {
  const core = await aHealthCore({ folder: brokenCli("fails") });
  await checkHealth({
    ...core,
    store: { ...core.store, transaction: () => Promise.reject(new Error("disk full")) },
  });
  expect(core.health.get("impl-code")).toMatchObject({ available: false });
  expect(core.warnings.some(({ message }) => message.includes("could not be stored"))).toBe(true);
});
