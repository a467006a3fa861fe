import { expect, test } from "vitest";
import { z } from "zod";
import {
  anApproval,
  anExecution,
  aProcessDraft,
  aPromptDraft,
  aTask,
  aToolCall,
  NOON,
} from "../../../test/kit/builders.ts";
import { aCore, ended, someProgress, started, type TestCore } from "../../../test/kit/core.ts";
import { anHttpDoor } from "../../../test/kit/http-door.ts";
import { aRoleCore } from "../../../test/kit/role-core.ts";
import { aSchedule, aScheduleRun } from "../../../test/kit/schedules.ts";
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

type Contracts = typeof ROUTE_CONTRACTS;
type WriteName = {
  [Name in keyof Contracts]: Contracts[Name]["method"] extends "get" ? never : Name;
}[keyof Contracts];

/** One example for each route that changes something: a new route without one is a type error. */
const BODIES: { readonly [Name in WriteName]: z.input<Contracts[Name]["body"]> } = {
  cancelAgent: undefined,
  testAlerts: { to: "browser" },
  checkRunner: undefined,
  sendMessage: { text: "急いで" },
  decideApproval: { decision: "approve", version: 1 },
  extendApproval: { expiresAt: "2030-01-01T00:00:00Z", version: 1 },
  cancelExecution: {},
  retryExecution: {},
  acceptTool: { server: "hr", tool: "list", hash: "x" },
  createGroup: { description: "もう一つ" },
  deleteGroup: undefined,
  stopGroup: undefined,
  revalidateRole: undefined,
  runHealthCheck: {},
  tryRunner: undefined,
  createSlackCode: undefined,
  login: { token: "wrong" },
  logout: undefined,
  trustConfig: { hash: "x" },
  checkRoleTools: undefined,
  createRole: {
    id: "law",
    name: "法務",
    description: "契約を読む",
    model: "m",
    systemPrompt: "あなたは法務の専門家です。",
  },
  deleteRole: undefined,
  useTemplate: { values: { period: "今週" }, locale: "ja" },
  saveTemplate: { taskId: "task-x" },
  duplicateRole: { newId: "impl-two" },
  updateRole: { name: "実装" },
  createSchedule: { text: "週報を書いて", cron: "0 9 * * 1", timeZone: "Asia/Tokyo" },
  changeSchedule: { status: "paused" },
  runSchedule: undefined,
  removeSchedule: undefined,
  removeTemplate: undefined,
  removeSlackWorkspace: undefined,
  createSlackInstallLink: undefined,
  changeTask: { status: "cancelled" },
  createTask: { text: "9月分の残業時間を集計して" },
  retryTask: {},
  retireWorkspace: undefined,
  addComment: { version: 1, path: "a.txt", body: "もっと短く" },
  changeComment: { status: "resolved" },
  deleteComment: undefined,
  sendBack: { version: 1, message: "もう一度" },
  requestMerge: { version: 1 },
  discardChange: { reason: "不要" },
  openPullRequest: { version: 1 },
  retryMerge: {},
  cancelMerge: undefined,
  undoMerge: undefined,
  addWorker: { name: "build-1" },
  revokeWorker: undefined,
  retryDeadJobs: {},
};

/**
 * Nothing on the stage can be retried or accepted, no runner is paused, there is no sign-in, no file
 * needs trust, Slack is off, no agent has a worktree, and there are no workers and no saved templates
 * with SQLite.
 */
const REFUSED_HERE: ReadonlySet<string> = new Set<WriteName>([
  "retryExecution",
  "retryTask",
  "saveTemplate",
  "removeTemplate",
  "acceptTool",
  "tryRunner",
  "login",
  "trustConfig",
  "createSlackCode",
  "createSlackInstallLink",
  "retireWorkspace",
  "addComment",
  "changeComment",
  "deleteComment",
  "sendBack",
  "requestMerge",
  "discardChange",
  "openPullRequest",
  "retryMerge",
  "cancelMerge",
  "undoMerge",
  "addWorker",
  "revokeWorker",
]);

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

test("every answer to a GET matches the schema in the OpenAPI document", async () => {
  const { check, document: described } = await aStage();
  const paths = Object.keys(described.paths).filter((path) => described.paths[path]?.["get"]);

  for (const path of paths) {
    expect(await check("get", path)).toMatchObject({ path, error: undefined });
  }
});

test.each(writes())(
  "the answer of $name matches the schema in the OpenAPI document",
  async ({ name, method, path, body }) => {
    const { check } = await aStage();

    const answer = await check(method, path, body);

    expect(answer).toMatchObject({ path, error: undefined });
    expect(answer).toMatchObject({ succeeded: !REFUSED_HERE.has(name) });
  },
);

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

function writes() {
  const bodies = new Map<string, unknown>(Object.entries(BODIES));
  return Object.entries(ROUTE_CONTRACTS).flatMap(([name, { method, path }]) =>
    method === "get" ? [] : [{ name, method, path, body: bodies.get(name) }],
  );
}

/** A daemon with a running agent, an empty group, and a task with everything that a task can have. */
async function aStage() {
  const core = await aRoleCore("agent:\n  runner: rehearsal\n");
  const fleet = await aFleet(core);
  await insertATask(core);
  const { url, document: described } = await theDocument(core);

  /** Sends a request and compares the answer with what the document promises for its status. */
  async function check(method: string, path: string, body?: unknown) {
    const response = await fetch(url + withIds(path, fleet), {
      method: method.toUpperCase(),
      headers: { "content-type": "application/json", "x-kuromajutsu": "1" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { responses = {} } = described.paths[path]?.[method] ?? {};
    const promised = responses[response.status] ?? responses["default"];
    const [{ schema } = { schema: undefined }] = Object.values(promised?.content ?? {});
    const answer: unknown = await response.json();
    const { Problem } = described.components.schemas;
    const { error } = z
      .fromJSONSchema((schema && "$ref" in schema ? Problem : schema) ?? false)
      .safeParse(answer);
    return { path, succeeded: response.ok, error, answer };
  }
  return { check, document: described };
}

type Fleet = { readonly groupId: string; readonly agentId: string; readonly emptyGroupId: string };

/** The running agent and its group; only the group that is deleted must be empty. */
function withIds(path: string, { groupId, agentId, emptyGroupId }: Fleet): string {
  const ids: Record<string, string> = {
    groups: path === "/api/groups/{id}" ? emptyGroupId : groupId,
    agents: agentId,
    roles: "research",
    templates: "weekly-report",
    runners: "cursor",
    tasks: aTask().id,
    approvals: anApproval().id,
    executions: anExecution().id,
    schedules: aSchedule().id,
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
    const drafts = { promptId: aPromptDraft().id, processId: aProcessDraft().id } as const;
    const executionId = anExecution().id;
    await unit.insertTask(aTask({ status: "in_progress", executionId, ...drafts }));
    await unit.insertPromptDraft(aPromptDraft());
    await unit.insertProcessDraft(aProcessDraft());
    await unit.insertExecution(anExecution());
    await unit.insertApproval(anApproval({ expiresAt: NOON + 60_000 }));
    await unit.insertToolCall(aToolCall());
    await unit.insertSchedule(aSchedule());
    await unit.insertScheduleRun(aScheduleRun());
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
