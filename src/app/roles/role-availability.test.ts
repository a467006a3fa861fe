import { expect, test } from "vitest";
import { brokenCli } from "../../../test/kit/broken-clis.ts";
import { aRole } from "../../../test/kit/core.ts";
import { eventually } from "../../../test/kit/fake-agent/supervised.ts";
import { aHealthCore, type HealthCore } from "../../../test/kit/health.ts";
import { planAgent } from "../agents/plan-agent.ts";
import type { Identity } from "../core.ts";
import { checkHealth } from "../health/check-health.ts";
import { validateModel } from "../health/validate-model.ts";
import { listRoles } from "./list-roles.ts";

const MAIN: Identity = { kind: "client", cwd: "/", keys: {} };
const REQUEST = { role: "impl-code", prompt: "p", workingDirectory: null, timeoutMs: null };
const plan = (core: HealthCore, identity = MAIN) => planAgent(core, identity, REQUEST);

test("a role may run before and during its first health check", async () => {
  const core = await aHealthCore({ folder: brokenCli("hangs") });
  const running = checkHealth(core);
  await expect(plan(core)).resolves.toMatchObject({ role: { id: "impl-code" } });
  await core.health.close();
  await running;
});

test("a role whose health check failed is refused with the reason that list_roles shows", async () => {
  const core = await aHealthCore({ folder: brokenCli("says-error") });
  await checkHealth(core);
  await expect(plan(core)).rejects.toMatchObject({
    code: "ROLE_UNAVAILABLE",
    message: "Role impl-code (cursor, claude-4-sonnet) is not available: usage limit reached",
    hint: expect.stringContaining("/api/health-check"),
  });
  expect((await listRoles(core))[0]).toMatchObject({
    available: false,
    reason: "usage limit reached",
  });
});

test("a role with an invalid model is refused with suggestions of valid models", async () => {
  const roles = [aRole({ model: "gpt-6", modelFrom: "user" })];
  const core = await aHealthCore({ folder: brokenCli("counts"), roles });
  await checkHealth(core);
  await expect(plan(core)).rejects.toMatchObject({
    code: "ROLE_UNAVAILABLE",
    message: expect.stringContaining('cursor has no model "gpt-6"'),
    hint: expect.stringContaining("gpt-5"),
  });
});

test("a role whose model was changed is judged by its new model", async () => {
  const core = await aHealthCore({
    folder: brokenCli("counts"),
    roles: [aRole({ model: "gpt-6", modelFrom: "user" })],
  });
  await checkHealth(core);
  const changed = { ...core, roles: new Map([["impl-code", aRole({ model: "gpt-5" })]]) };
  await expect(plan(changed)).resolves.toBeDefined();
});

test("a failed health check does not refuse a client with a key that the daemon lacks", async () => {
  const core = await aHealthCore({ folder: brokenCli("fails") });
  await checkHealth(core);
  await expect(plan(core)).rejects.toMatchObject({ code: "ROLE_UNAVAILABLE" });
  const client: Identity = { kind: "client", cwd: "/", keys: { CURSOR_API_KEY: "k" } };
  await expect(plan(core, client)).resolves.toBeDefined();
});

test("using a role with an old failed health check starts a new check", async () => {
  const core = await aHealthCore({ folder: brokenCli("fails") });
  await checkHealth(core);
  core.use(brokenCli("counts"));
  core.advance(600_000);
  await expect(plan(core)).rejects.toMatchObject({ hint: expect.stringContaining("again") });
  await eventually("the new check", () => core.health.get("impl-code")?.available || undefined);
  await expect(plan(core)).resolves.toBeDefined();
});

test("a model can be validated for a role that is not stored yet", async () => {
  const core = await aHealthCore({ folder: brokenCli("counts") });
  const role = aRole({ id: "new", model: "gpt5", modelFrom: "user" });
  expect(await validateModel(core, role)).toMatchObject({
    modelValidation: { status: "invalid", suggestions: ["gpt-5"] },
  });
  expect(core.health.get("new")).toBeUndefined();
  expect(core.published).toEqual([]);
});
