import { expect, test } from "vitest";
import { z } from "zod";
import {
  anApproval,
  anExecution,
  aProcessDraft,
  aPromptDraft,
  aTask,
  aToolCall,
} from "../../../test/kit/builders.ts";
import { aCore, ended, someProgress, started, type TestCore } from "../../../test/kit/core.ts";
import { anHttpDoor } from "../../../test/kit/http-door.ts";
import { LOCAL_USER } from "../../app/core.ts";
import { createGroup } from "../../app/groups/create-group.ts";
import { runAgents } from "../../app/groups/run-agents.ts";
import { ROUTE_CONTRACTS } from "../../contract/routes/all.ts";
import { ROUTES } from "./routes.ts";

const jsonSchema = z.record(z.string(), z.json());
const content = z.record(z.string(), z.object({ schema: jsonSchema }));
const operation = z.strictObject({
  operationId: z.string().regex(/^[a-z]\w+$/),
  summary: z.string().min(1),
  parameters: z
    .array(
      z.strictObject({
        name: z.string(),
        in: z.enum(["path", "query", "header"]),
        required: z.boolean(),
        schema: jsonSchema,
        description: z.string().optional(),
      }),
    )
    .optional(),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string(), z.strictObject({ description: z.string(), content })),
});
const document = z.strictObject({
  openapi: z.literal("3.1.0"),
  info: z.strictObject({ title: z.string(), version: z.string(), description: z.string() }),
  paths: z.record(z.string().startsWith("/api/"), z.record(z.string(), operation)),
  components: z.strictObject({ schemas: z.record(z.string(), jsonSchema) }),
});

async function theDocument(core: TestCore) {
  const { url } = await anHttpDoor(core);
  const response = await fetch(`${url}/api/openapi.json`);
  return { url, document: document.parse(await response.json()) };
}

test("the document has the form OpenAPI 3.1 asks for, and every route is in it", async () => {
  const { document: described } = await theDocument(await aCore());

  const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ path, method, ...each })),
  );
  expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
    Object.values(ROUTE_CONTRACTS)
      .map(({ method, path }) => `${method} ${path}`)
      .sort(),
  );
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { path, method, parameters = [], requestBody, responses } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const named = parameters.filter((each) => each.in === "path");
    expect(named.map(({ name }) => name)).toEqual(inPath);
    expect(named.every(({ required }) => required)).toBe(true);
    expect(method === "get" && requestBody !== undefined).toBe(false);
    expect(Object.keys(responses)).toContain("default");
  }
});

test("every answer matches the schema in the OpenAPI document", async () => {
  const core = await aCore();
  const fleet = await aFleet(core);
  await insertATask(core);
  const { url, document: described } = await theDocument(core);
  const pathsToRead = Object.entries(described.paths).filter(([, { get }]) => get);
  const reads = pathsToRead.map(([path]) => ({ method: "get", path, body: undefined }));

  for (const { method, path, body } of [...reads, ...WRITES]) {
    const response = await fetch(url + withIds(path, fleet), {
      method,
      headers: { "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { responses } = described.paths[path]?.[method] ?? {};
    const promised = responses?.[response.status]?.content["application/json"]?.schema;
    const answer: unknown = await response.json();
    const { error } = z.fromJSONSchema(promised ?? false).safeParse(answer);
    expect({ method, path, error, answer }).toEqual({ method, path, error: undefined, answer });
  }
});

test("the daemon serves every route contract, and no route without one", async () => {
  const { url } = await anHttpDoor(await aCore());
  const contracts = Object.values(ROUTE_CONTRACTS);

  for (const { method, path } of contracts) {
    const response = await fetch(url + path.replace(/\{\w+\}/, "x"), {
      method: method.toUpperCase(),
      headers: { "x-kuromajutsu": "1" },
    });
    expect({ method, path, answer: await response.json() }).not.toMatchObject({
      answer: { code: "NOT_FOUND" },
    });
  }
  const described = new Set(contracts.map(({ method, path }) => `${method} ${path}`));
  expect(ROUTES.filter(({ method, path }) => !described.has(`${method} ${path}`))).toEqual([]);
});

/** In an order in which each of them succeeds. */
const WRITES = [
  { method: "post", path: "/api/agents/{id}/message", body: { text: "急いで" } },
  { method: "post", path: "/api/agents/{id}/cancel", body: undefined },
  { method: "post", path: "/api/groups/{id}/stop", body: undefined },
  { method: "post", path: "/api/groups", body: { description: "もう一つ" } },
  { method: "delete", path: "/api/groups/{id}", body: undefined },
  { method: "post", path: "/api/health-check", body: {} },
  { method: "post", path: "/api/roles/{id}/revalidate", body: undefined },
  { method: "post", path: "/api/runners/{id}/check", body: undefined },
];

type Fleet = { readonly groupId: string; readonly agentId: string; readonly emptyGroupId: string };

/** The running agent and its group; only the group that is deleted must be empty. */
function withIds(path: string, { groupId, agentId, emptyGroupId }: Fleet): string {
  const ids: Record<string, string> = {
    groups: path === "/api/groups/{id}" ? emptyGroupId : groupId,
    agents: agentId,
    roles: "impl-code",
    runners: "cursor",
    tasks: aTask().id,
    approvals: anApproval().id,
    executions: anExecution().id,
  };
  return path.replace(/\{\w+\}/, ids[path.split("/")[2] ?? ""] ?? "none");
}

test("the schemas in the OpenAPI document reject incomplete answers", async () => {
  const { document: described } = await theDocument(await aCore());
  const promised =
    described.paths["/api/agents"]?.["get"]?.responses["200"]?.content["application/json"];

  const schema = z.fromJSONSchema(promised?.schema ?? true);

  expect(schema.safeParse({ agents: [{}], total: 1, nextCursor: null }).success).toBe(false);
});

async function insertATask(core: TestCore): Promise<void> {
  await core.store.transaction(async (unit) => {
    await unit.insertTask(aTask());
    await unit.insertPromptDraft(aPromptDraft());
    await unit.insertProcessDraft(aProcessDraft());
    await unit.insertExecution(anExecution());
    await unit.insertApproval(anApproval());
    await unit.insertToolCall(aToolCall());
  });
}

async function aFleet(core: TestCore): Promise<Fleet> {
  const asked = { description: "認証機能", mode: "concurrent", parentGroupId: null } as const;
  const group = await createGroup(core, LOCAL_USER, asked);
  const empty = await createGroup(core, LOCAL_USER, asked);
  const work = { role: "impl-code", prompt: "やって", workingDirectory: "/", timeoutMs: null };
  const agents = await runAgents(core, LOCAL_USER, { groupId: group.id, agents: [work, work] });
  await core.quiet();
  const [settled, running] = agents;
  if (!settled || !running) throw new Error("no agents");
  await core.observe(started(settled.id), started(running.id));
  const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };
  await core.observe(ended(settled.id, { progress: someProgress({ usage }) }));
  return { groupId: group.id, agentId: running.id, emptyGroupId: empty.id };
}
