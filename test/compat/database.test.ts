import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { z } from "zod";
import { aDaemon, aPlace } from "../kit/daemon.ts";
import { createNormalizer } from "./normalize.ts";
import { aRecorder, isRecording } from "./recording.ts";
import {
  agentIdsIn,
  aRecordedClient,
  aWorld,
  idIn,
  overHttp,
  upstream,
  worldOf,
  writeConfig,
  type Json,
  type World,
} from "./world.ts";

const DATABASE = new URL("./recordings/database.db.gz", import.meta.url);
const HANGING = "互換\n#rehearsal say 互換\n#rehearsal hang";
/** The database grows old: nothing in it may expire. */
const CONFIG = {
  healthCheck: { enabled: false, cacheTtl_ms: Number.MAX_SAFE_INTEGER },
  history: { keep_days: 36_500 },
  tasks: { remindAfter_ms: 0 },
};
/** Exists on every machine that opens the database. */
const workingDirectory = "/";

function request(...directives: readonly string[]): string {
  const all = ["steps list_notes, send_word", 'arg step-2.word "互換"', ...directives];
  return ["互換の依頼", ...all.map((each) => `#rehearsal ${each}`)].join("\n");
}

test.runIf(isRecording)("a database with everything in it is written", async () => {
  const world = await aWorld("database-written", CONFIG);
  await upstream(world);
  await fill(world);
  await world.daemon.kill("SIGTERM");
  const whole = join(world.place.dir, "whole.db");
  const database = new DatabaseSync(join(world.place.dataDir, "kuromajutsu.db"));
  database.exec(`vacuum into '${whole}'`);
  database.close();
  writeFileSync(DATABASE, gzipSync(readFileSync(whole), { level: 9 }));
  expect(existsSync(DATABASE)).toBe(true);
});

test("a database of the version before is upgraded, read and carried on", async () => {
  const place = aPlace();
  writeConfig(place, CONFIG);
  mkdirSync(place.dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(place.dataDir, "kuromajutsu.db"), gunzipSync(readFileSync(DATABASE)), {
    mode: 0o600,
  });
  const recorder = aRecorder("database", createNormalizer({ [place.dir]: "<dir>" }));
  const world = worldOf(place, await aDaemon(place), recorder);
  await upstream(world);
  await world.waitFor("/api/agents?status=running", ({ total }) => total === 0);

  const { groups } = listShape.parse(await world.ask("GET", "/api/groups"));
  for (const groupId of idsOf(groups, "groupId")) await world.ask("GET", `/api/groups/${groupId}`);
  const { agents } = listShape.parse(await world.ask("GET", "/api/agents"));
  for (const agentId of idsOf(agents, "agentId")) {
    await world.ask("GET", `/api/agents/${agentId}`);
    await world.ask("GET", `/api/agents/${agentId}/files`);
  }
  const { tasks } = listShape.parse(await world.ask("GET", "/api/tasks"));
  for (const taskId of idsOf(tasks, "taskId")) {
    await world.ask("GET", `/api/tasks/${taskId}`);
    await world.ask("GET", `/api/tasks/${taskId}/events`);
  }
  for (const path of [
    "approvals",
    "history",
    "notifications",
    "health-check",
    "models",
    "gateway",
  ]) {
    await world.ask("GET", `/api/${path}`);
  }
  const usage = "/api/usage?from=2026-01-01&until=2099-01-01";
  const spent = await world.send("GET", usage);
  recorder.add(`GET ${usage}`, {
    status: spent.status,
    type: spent.type,
    body: withoutDays(spent.body),
  });
  await world.ask("GET", "/api/audit");

  const { approvalId, version, taskId } = await world.approval("prompt");
  await world.ask("POST", `/api/approvals/${String(approvalId)}/decision`, {
    body: { decision: "approve", version },
  });
  const blocked = idsOf(
    listShape.parse(await world.look("/api/tasks?status=blocked")).tasks,
    "taskId",
  );
  for (const id of blocked)
    await world.ask("PATCH", `/api/tasks/${id}`, { body: { status: "in_progress" } });
  const step = await world.approval("process");
  await world.send("POST", `/api/approvals/${idIn(step, "approvalId")}/decision`, {
    body: { decision: "approve", version: step["version"] },
  });
  for (const id of [String(taskId), ...blocked]) {
    await world.waitFor(`/api/tasks/${id}`, ({ status }) => status === "completed");
  }
  expect(recorder.differences()).toEqual([]);
});

const usageShape = z.looseObject({ rows: z.array(z.record(z.string(), z.unknown())) });

/**
 * Rows that differ only in their day become one. An agent that was running when the database was
 * recorded ends today, so the days depend on the date of the test.
 */
function withoutDays(body: unknown) {
  const { rows, ...others } = usageShape.parse(body);
  const merged = new Map<string, Record<string, unknown>>();
  for (const row of rows) {
    const key = JSON.stringify(["runner", "model", "role", "reportedModel"].map((of) => row[of]));
    const before = merged.get(key);
    merged.set(key, before ? added(before, row) : row);
  }
  return { ...others, rows: [...merged.values()] };
}

function added(left: Record<string, unknown>, right: Record<string, unknown>) {
  const sums = Object.entries(left).map(([key, value]) => {
    const other = right[key];
    const isSum = typeof value === "number" && typeof other === "number";
    return [key, isSum ? value + other : value] as const;
  });
  return Object.fromEntries(sums);
}

/** Groups and agents, tasks in several states, approvals, calls, notices, health records. */
async function fill(world: World): Promise<void> {
  const { call } = await aRecordedClient(world.recorder, "main", overHttp(world.url));
  const group = async () => idIn(await call("create_group", { description: "互換" }), "groupId");
  const start = async (groupId: string, prompt: string) => {
    const agents = [{ role: "impl-code", prompt, workingDirectory }];
    const [agentId = ""] = agentIdsIn(await call("run_agents", { groupId, agents }));
    return agentId;
  };
  const [deleted, kept] = [await group(), await group()];
  for (const [groupId, prompt] of [
    [deleted, "互換\n#rehearsal usage 10 20"],
    [kept, "互換\n#rehearsal fail 互換の失敗"],
  ] as const) {
    const agentId = await start(groupId, prompt);
    await world.waitFor(`/api/agents/${agentId}`, ({ endedAt }) => endedAt !== null);
  }
  await call("delete_group", { groupId: deleted });
  await task(world, request("uncheck step-2"), ["prompt", "process"], "completed");
  const listening = await task(
    world,
    request("uncheck step-2", "first after step-1 listen 60000"),
    ["prompt", "process"],
  );
  await world.waitFor(`/api/tasks/${listening}`, ({ toolCalls }) =>
    JSON.stringify(toolCalls).includes('"done"'),
  );
  await world.send("PATCH", `/api/tasks/${listening}`, {
    body: { status: "blocked", reason: "互換" },
  });
  await rest(world);
  await task(world, request("uncheck step-2"), []);
  await world.approval("prompt");
  await world.send("POST", "/api/health-check", { body: { roleIds: ["research"] } });
  await world.waitFor("/api/health-check", ({ state, step }) => state === "idle" && step === 3);
  await rest(world);
  const hanging = await start(kept, HANGING);
  await world.waitFor(`/api/agents/${hanging}`, ({ lastMessage }) =>
    String(lastMessage).endsWith("互換"),
  );
  await call("send_message", { agentId: hanging, text: "互換の知らせ" });
}

async function task(
  world: World,
  text: string,
  kinds: readonly string[],
  end?: string,
): Promise<string> {
  const { body } = await world.send("POST", "/api/tasks", { body: { text, workingDirectory } });
  const taskId = z.looseObject({ taskId: z.string() }).parse(body).taskId;
  for (const kind of kinds) {
    const { approvalId, version } = await world.approval(kind);
    const decision = { decision: "approve", version };
    await world.send("POST", `/api/approvals/${String(approvalId)}/decision`, { body: decision });
  }
  if (end) await world.waitFor(`/api/tasks/${taskId}`, ({ status }) => status === end);
  return taskId;
}

/** Until no agent runs. */
async function rest(world: World): Promise<void> {
  await world.waitFor("/api/agents?status=running", ({ total }) => total === 0);
}

const rows = z.array(z.record(z.string(), z.unknown())).default([]);
const listShape = z.object({ groups: rows, agents: rows, tasks: rows });

function idsOf(list: readonly Json[], key: string): string[] {
  return list.map((each) => idIn(each, key));
}
