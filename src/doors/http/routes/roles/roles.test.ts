import { readFileSync } from "node:fs";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { aRoleCore } from "../../../../../test/kit/role-core.ts";
import { LOCAL_USER } from "../../../../app/core.ts";
import { serveRoutes } from "../../serve-routes.ts";
import { ROLE_TOOL_ROUTES } from "./role-tools.ts";
import { ROLE_ROUTES } from "./roles.ts";

const example = readFileSync(
  new URL("../../../../../kuromajutsu.config.example.yaml", import.meta.url),
  "utf8",
);

async function aDoor(text?: string) {
  const core = await aRoleCore(text);
  const app = new Hono();
  serveRoutes(app, { core, identify: async () => LOCAL_USER }, [
    ...ROLE_ROUTES,
    ...ROLE_TOOL_ROUTES,
  ]);
  async function ask(method: string, path: string, body?: unknown, headers = {}) {
    const answer = await app.request(path, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const said: unknown = await answer.json();
    return { status: answer.status, said };
  }
  return { core, ask };
}

test("GET /api/roles lists every role with all fields of the editor", async () => {
  const { core, ask } = await aDoor(example);

  const { said } = await ask("GET", "/api/roles");

  expect(said).toMatchObject({
    disabled: [],
    config: { path: core.path, hash: core.editing?.loadedHash(), editable: true },
  });
  expect(await ask("GET", "/api/roles/research")).toMatchObject({
    status: 200,
    said: {
      id: "research",
      name: "調査員",
      systemPrompt: expect.stringContaining("調査・情報収集の専門家"),
      healthCheckPrompt: "Hello, respond with exactly: OK",
      model: "composer-1.5",
      runner: "auto",
      runnerInUse: "rehearsal",
      access: "read-only",
      isolation: "auto",
      tools: [],
      mcpServers: [],
      builtin: true,
      available: true,
      reason: null,
    },
  });
});

test("a role can be edited once with the same hash", async () => {
  const { core, ask } = await aDoor(example);
  const body = { name: "調べる人", expectedHash: core.editing?.loadedHash() };

  expect(await ask("PUT", "/api/roles/research", body)).toMatchObject({
    status: 200,
    said: { saved: true, created: false, role: { name: "調べる人" } },
  });
  expect(core.text()).toBe(example.replace("調査員", "調べる人"));
  expect(await ask("PUT", "/api/roles/research", { ...body, name: "x" })).toMatchObject({
    status: 409,
    said: { code: "CONFIG_CHANGED", hint: expect.stringContaining("もう一度保存") },
  });
});

test("a dry run answers the file's text before and after", async () => {
  const { core, ask } = await aDoor(example);

  const { said } = await ask("PUT", "/api/roles/research?dryRun=true", { model: "m" });

  expect(said).toMatchObject({
    saved: false,
    role: { model: "composer-1.5" },
    yaml: { before: example, after: example.replace("composer-1.5", "m") },
  });
  expect(core.text()).toBe(example);
});

test("a role is created, duplicated and deleted; a built-in one can be restored", async () => {
  const { core, ask } = await aDoor("");
  const draft = { id: "mine", name: "n", description: "d", model: "m", systemPrompt: "p\n" };

  expect(await ask("POST", "/api/roles", draft)).toMatchObject({
    status: 201,
    said: { role: { id: "mine", builtin: false } },
  });
  expect(await ask("POST", "/api/roles/mine/duplicate", { newId: "mine-2" })).toMatchObject({
    status: 201,
    said: { role: { id: "mine-2", name: "n (copy)", systemPrompt: "p\n" } },
  });
  expect(await ask("DELETE", "/api/roles/mine")).toMatchObject({
    status: 200,
    said: { role: null },
  });
  expect(await ask("DELETE", "/api/roles/research")).toMatchObject({ status: 200 });
  expect(await ask("GET", "/api/roles")).toMatchObject({ said: { disabled: ["research"] } });
  expect(await ask("POST", "/api/roles", { id: "research" })).toMatchObject({ status: 201 });
  expect([...core.roles.keys()].slice(-2)).toEqual(["orchestrator", "mine-2"]);
});

test("the upstream tools of a role can be edited and are duplicated with it", async () => {
  const { core, ask } = await aDoor("mcpServers: {hr: {command: hr}, sheets: {command: sheets}}\n");
  const mcpServers = ["hr", "sheets/append"];

  expect(await ask("PUT", "/api/roles/research", { mcpServers })).toMatchObject({
    status: 200,
    said: { saved: true, role: { mcpServers } },
  });
  expect(core.roles.get("research")?.mcpServers).toEqual(mcpServers);
  expect(await ask("POST", "/api/roles/research/duplicate", { newId: "mine" })).toMatchObject({
    said: { role: { mcpServers } },
  });
  expect(await ask("PUT", "/api/roles/research", { mcpServers: null })).toMatchObject({
    said: { role: { mcpServers: [] } },
  });
});

test.each([
  ["PUT", "/api/roles/nobody", { name: "x" }, 404, "ROLE_NOT_FOUND"],
  ["GET", "/api/roles/..%2F..%2Fetc%2Fpasswd", undefined, 404, "ROLE_NOT_FOUND"],
  ["DELETE", "/api/roles/constructor", undefined, 404, "ROLE_NOT_FOUND"],
  ["PUT", "/api/roles/research", { id: "other" }, 400, "INVALID_ARGUMENTS"],
  ["PUT", "/api/roles/research", { name: " " }, 400, "INVALID_ARGUMENTS"],
  ["PUT", "/api/roles/research", { model: "--force" }, 400, "INVALID_ARGUMENTS"],
  ["PUT", "/api/roles/research", { access: "all" }, 400, "INVALID_ARGUMENTS"],
  ["PUT", "/api/roles/research", { isolation: "own" }, 400, "INVALID_ARGUMENTS"],
  ["PUT", "/api/roles/research", { tools: ["nothing"] }, 400, "CONFIG_INVALID"],
  ["PUT", "/api/roles/research", { mcpServers: ["../x"] }, 400, "CONFIG_INVALID"],
  ["POST", "/api/roles", { id: "../x" }, 400, "INVALID_ARGUMENTS"],
  ["POST", "/api/roles", { id: "x\ny" }, 400, "INVALID_ARGUMENTS"],
  ["POST", "/api/roles", { id: "mine" }, 400, "CONFIG_INVALID"],
  ["POST", "/api/roles", { id: "research" }, 409, "ROLE_EXISTS"],
  ["POST", "/api/roles/research/duplicate", { newId: "__proto__" }, 400, "INVALID_ARGUMENTS"],
])("%s %s %j is refused with %i %s", async (method, path, body, status, code) => {
  const { core, ask } = await aDoor(example);

  expect(await ask(method, path, body)).toMatchObject({ status, said: { code } });
  expect(core.text()).toBe(example);
});

test("role tools are listed; only a POST runs their commands", async () => {
  const { core, ask } = await aDoor("");

  expect(await ask("GET", "/api/role-tools")).toMatchObject({
    status: 200,
    said: { tools: [{ id: "textlint", builtin: true, installed: null, usedBy: [] }] },
  });
  expect(core.checkCommand).toBeUndefined();
  expect(await ask("POST", "/api/role-tools/check")).toMatchObject({
    status: 200,
    said: { tools: [{ id: "textlint", installed: null }] },
  });
});

test("a dry run and the edit may have the same Idempotency-Key, because dry runs are not stored", async () => {
  const { core, ask } = await aDoor();
  const key = { "idempotency-key": "same" };
  const role = { id: "poet", name: "詩人", description: "詩", model: "m", systemPrompt: "書く" };

  const dry = await ask("POST", "/api/roles?dryRun=true", role, key);
  expect(dry.said).toMatchObject({ saved: false });
  expect(await ask("POST", "/api/roles", role, key)).toMatchObject({ said: { saved: true } });
  expect(await ask("POST", "/api/roles", role, key)).toMatchObject({ said: { saved: true } });
  expect(core.roles.has("poet")).toBe(true);
});
