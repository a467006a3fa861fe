import { Hono } from "hono";
import { expect, test } from "vitest";
import { brokenCli } from "../../../../../test/kit/broken-clis.ts";
import { eventually } from "../../../../../test/kit/fake-agent/supervised.ts";
import { aHealthCore, type HealthCore } from "../../../../../test/kit/health.ts";
import { LOCAL_USER } from "../../../../app/core.ts";
import { serveRoutes } from "../../serve-routes.ts";
import { HEALTH_ROUTES } from "./health.ts";

async function aDoor(kind: Parameters<typeof brokenCli>[0], sleep?: string) {
  const core = await aHealthCore({ folder: brokenCli(kind), ...(sleep && { sleep }) });
  const app = new Hono();
  serveRoutes(app, { core, identify: async () => LOCAL_USER }, HEALTH_ROUTES);
  return {
    core,
    get: async (path: string): Promise<unknown> => (await app.request(path)).json(),
    post: async (path: string, body?: unknown) => {
      const answer = await app.request(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const said: unknown = await answer.json();
      return { status: answer.status, said };
    },
  };
}

const idle = (core: HealthCore) =>
  eventually("the check to end", () => core.health.state === "idle" || undefined);

test("before the first health check there are no results", async () => {
  const { get } = await aDoor("counts");
  expect(await get("/api/health-check")).toMatchObject({
    state: "idle",
    step: 0,
    startedAt: null,
    total: 0,
    results: [],
  });
});

test("a health check on demand is answered at once; its steps and results can be read", async () => {
  const { core, get, post } = await aDoor("counts", "0.5");
  const { status, said } = await post("/api/health-check");
  expect(status).toBe(202);
  expect(said).toMatchObject({ state: "running", step: 1 });

  await eventually(
    "the role to be asked",
    () => core.health.phaseOf("impl-code")?.phase === "checking" || undefined,
  );
  expect(await get("/api/health-check")).toMatchObject({
    state: "running",
    step: 2,
    progress: [
      { roleId: "impl-code", modelValidation: "valid", healthCheck: "checking" },
      { roleId: "code-review", modelValidation: "valid", healthCheck: "checking" },
    ],
  });
  await idle(core);
  expect(await get("/api/health-check")).toMatchObject({
    state: "idle",
    step: 3,
    total: 2,
    available: 2,
    results: [
      { roleId: "impl-code", healthCheck: { status: "passed" }, available: true },
      { roleId: "code-review", available: true },
    ],
  });
});

test("a health check on demand ignores the cache and may cover one role", async () => {
  const { core, post } = await aDoor("counts");
  for (let time = 0; time < 2; time++) {
    await post("/api/health-check", { roleIds: ["code-review"] });
    await idle(core);
  }
  expect(core.asked().filter((line) => line.startsWith("start"))).toHaveLength(2);
});

test.each([
  [{ roleIds: ["nobody"] }, 404, "ROLE_NOT_FOUND"],
  [{ roles: ["impl-code"] }, 400, "INVALID_ARGUMENTS"],
  [{ roleIds: [] }, 400, "INVALID_ARGUMENTS"],
])("%j is refused with %i", async (body, status, code) => {
  const { core, post } = await aDoor("counts");
  expect(await post("/api/health-check", body)).toMatchObject({ status, said: { code } });
  expect(core.health.state).toBe("idle");
});

test("revalidating a model answers its state, publishes an event and checks the role", async () => {
  const { core, post } = await aDoor("counts");
  const { said } = await post("/api/roles/impl-code/revalidate");
  expect(said).toMatchObject({ roleId: "impl-code", modelValidation: { status: "valid" } });
  expect(core.published[0]).toMatchObject({
    type: "healthcheck:model_validation",
    data: { results: [{ roleId: "impl-code", status: "valid" }] },
  });
  await idle(core);
  expect(core.health.get("impl-code")).toMatchObject({ healthCheck: { status: "passed" } });
  expect(await post("/api/roles/nobody/revalidate")).toMatchObject({ status: 404 });
});

test("GET /api/system names the CLIs and their models", async () => {
  const { core, get, post } = await aDoor("counts");
  expect(await get("/api/models")).toMatchObject({
    models: [{ runner: "cursor", models: [], checkedAt: null, note: "Not asked yet." }, {}],
  });
  await post("/api/roles/impl-code/revalidate");
  await idle(core);
  const cursor = {
    runner: "cursor",
    models: ["claude-4-sonnet", "claude-4.5-sonnet", "gpt-5", "composer-1.5", "opus-4.6-thinking"],
    checkedAt: "2026-11-15T09:00:00.000Z",
    note: null,
  };
  const rehearsal = {
    runner: "rehearsal",
    models: [],
    checkedAt: null,
    note: "No model is asked: any name will do.",
  };
  expect(await get("/api/models")).toEqual({ models: [cursor, rehearsal] });
  expect(await get("/api/system")).toEqual({
    version: "0.0.0",
    command: "kuromajutsu",
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    locale: "ja",
    chosenLocale: null,
    maxConcurrent: 10,
    runners: [
      { id: "cursor", command: `${brokenCli("counts")}/agent` },
      { id: "rehearsal", command: "/bin/rehearsal" },
    ],
    models: [cursor, rehearsal],
    untrusted: null,
  });
});

test("GET /api/system says why agents only rehearse", async () => {
  const { core, get } = await aDoor("counts");
  core.use(null);
  expect(await get("/api/system")).toMatchObject({
    rehearsalNote: expect.stringContaining("リハーサルのみ"),
  });
});

test("POST /api/runners/{id}/check runs the CLI once, and GET /api/runners shows the result", async () => {
  const { get, post } = await aDoor("counts");
  const command = `${brokenCli("counts")}/agent`;
  expect(await get("/api/runners")).toEqual({
    runners: [{ runner: "cursor", command, check: null }],
  });

  const { status, said } = await post("/api/runners/cursor/check");

  expect(status).toBe(200);
  expect(said).toMatchObject({ runner: "cursor", version: "2026.09.18-fake", answered: true });
  expect(await get("/api/runners")).toEqual({
    runners: [{ runner: "cursor", command, check: said }],
  });
  expect(await post("/api/runners/rehearsal/check")).toMatchObject({ status: 400 });
  expect(await post("/api/runners/nobody/check")).toMatchObject({ status: 400 });
});
