import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { migratePostgres } from "../../src/adapters/store/postgres/migrate.ts";
import { aGroup, runAll, statusOf, waitForAll } from "../kit/agents.ts";
import {
  aDaemon,
  anHttpClient,
  aPlace,
  command,
  readDaemonFile,
  until,
  type TestClient,
} from "../kit/daemon.ts";
import { aGate } from "../kit/gate.ts";
import { aCutProxy } from "../kit/postgres/cut-proxy.ts";
import { aMigratedUrl, aPlaceOn } from "../kit/postgres/daemon-place.ts";
import { aPostgres, tcpUrl } from "../kit/postgres/database.ts";
import { processesWith } from "../kit/processes.ts";
import { HAS_ALL_ROUNDS } from "../kit/rounds.ts";
import {
  aRequest,
  aStory,
  hasAnswered,
  hasLive,
  isAtRest,
  lastAttempt,
  LONG_MS,
  writesOf,
} from "../kit/story.ts";
import { aTempDir } from "../kit/tmp-dir.ts";
import { sharedByTests } from "../kit/when-done.ts";

vi.setConfig({ testTimeout: LONG_MS });

/** The password of the tests as it is in a URL and in plain text. */
const PASSWORD = /p%40ss|p@ss/;
const SOON = { agent: { runner: "rehearsal", lingerAfterEnd_ms: 300, hardKillAfter_ms: 300 } };

/** The files that rolldown.config.js makes of `pg` and of our adapter. */
const PG_FILE = /[/](?:pg|postgres-store)-[\w-]+[.]js/;

const readyShape = z.object({ store: z.string() });

async function readiness(url: string): Promise<{ status: number; store: string }> {
  const response = await fetch(`${url}/api/health/ready`);
  return { status: response.status, ...readyShape.parse(await response.json()) };
}

function cmdlineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    // The process has ended.
    return "";
  }
}

const answerShape = z.object({
  agents: z.array(z.object({ agentId: z.string() })).default([]),
  code: z.string().optional(),
});

/** Starts one agent after the other until it is stopped. */
function keepStarting({ call }: TestClient, groupId: string) {
  const acknowledged: string[] = [];
  const refusals: (string | undefined)[] = [];
  const stopping = new AbortController();
  const working = (async () => {
    while (!stopping.signal.aborted) {
      const agents = [{ role: "impl-code", prompt: "働く" }];
      const answer = answerShape.parse(await call("run_agents", { groupId, agents }));
      acknowledged.push(...answer.agents.map(({ agentId }) => agentId));
      if (answer.agents.length === 0) refusals.push(answer.code);
      await sleep(50);
    }
  })();
  return {
    acknowledged,
    refusals,
    stop() {
      stopping.abort();
      return working;
    },
  };
}

/** All files below a folder, with what they contain, byte by byte. */
function filesIn(folder: string): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path, text: readFileSync(path, "latin1") }));
}

/** For the tests whose daemon goes on, and whose database, too. */
const theStory = sharedByTests(async () => {
  const bin = aTempDir();
  const seen = join(bin, "seen");
  // A CLI that is only asked for its version inherits the environment of the daemon.
  writeFileSync(join(bin, "claude"), `#!/bin/sh\nenv >>${seen}\n`, { mode: 0o755 });
  const place = aPlaceOn(await aMigratedUrl(), { PATH: `${bin}:/usr/bin:/bin` });
  return { story: await aStory(SOON, { place }), seen };
});

test("agents run on PostgreSQL, and the password is nowhere but in the daemon", async () => {
  const { story, seen } = await theStory();
  const { place } = story;
  const client = await anHttpClient(story.url());

  await story.ask("POST", "/api/runners/claude/check");
  await until(() => existsSync(seen));
  expect(readFileSync(seen, "utf8")).toContain("KUROMAJUTSU_DATA_DIR");
  expect(readFileSync(seen, "utf8")).not.toMatch(/DATABASE_URL|p%40ss|p@ss/);
  const ids = await runAll(client, await aGroup(client), [
    { prompt: "#rehearsal hang" },
    { prompt: "一" },
    { prompt: "二" },
  ]);
  await waitForAll(client, ids.slice(1));
  const status = await command(place, ["status", "--json"]);
  const daemon = z.object({ pid: z.number() }).parse(JSON.parse(status.stdout));
  const others = [
    ...processesWith(`XDG_RUNTIME_DIR=${place.env["XDG_RUNTIME_DIR"]}`),
    ...processesWith(`KUROMAJUTSU_SOCKET=${place.env["XDG_RUNTIME_DIR"]}`),
  ].filter(({ pid }) => pid !== daemon.pid);

  // The launcher, the upstream server and the agent that hangs.
  expect(others.length).toBeGreaterThanOrEqual(3);
  for (const { pid, environment } of others) {
    expect(environment.join("\n")).not.toMatch(/DATABASE_URL|p%40ss|p@ss/);
    expect(cmdlineOf(pid)).not.toMatch(PASSWORD);
  }
  // What an agent can read: its home, the data directory with spool and log, the runtime folder.
  const files = filesIn(place.dir);
  expect(files.map(({ path }) => path)).toContain(join(place.dataDir, "daemon.json"));
  expect(files.filter(({ text }) => PASSWORD.test(text)).map(({ path }) => path)).toEqual([]);
  expect(place.log() + status.stdout + status.stderr).not.toMatch(PASSWORD);
  expect(JSON.stringify(await story.ask("GET", "/api/health"))).not.toMatch(PASSWORD);
});

test("a daemon loads what talks to PostgreSQL only with PostgreSQL", async () => {
  const without = aPlace({ NODE_DEBUG: "esm" });
  const place = aPlaceOn(await aMigratedUrl(), { NODE_DEBUG: "esm" });
  await aDaemon(without);
  await aDaemon(place);

  expect(without.log()).toContain("open-store");
  expect(without.log()).not.toMatch(PG_FILE);
  expect(place.log()).toMatch(PG_FILE);
});

test("a task with approvals survives kill -9 of the daemon, and its audit is whole", async () => {
  const place = aPlaceOn(await aMigratedUrl());
  const story = await aStory(SOON, { place });
  // The kill must not meet the next call, whose outcome would be unknown.
  const gate = aGate(place);
  const taskId = await story.start(aRequest(`before step-3 ${gate.waits}`));
  await story.reach(taskId, (task) => hasAnswered(task, "write_note"));

  await story.killAndRestart();
  gate.open();
  const task = await story.reach(taskId, ({ status }) => status === "completed");

  expect(lastAttempt(task).steps.map(({ status }) => status)).toEqual(["done", "done", "done"]);
  expect(writesOf(story)).toBe(1);
  const online = await command(place, ["audit", "verify", "--json"]);
  await story.stop();
  const offline = await command(place, ["audit", "verify", "--json"]);
  expect(JSON.parse(online.stdout)).toMatchObject({ ok: true });
  expect(JSON.parse(offline.stdout)).toMatchObject({ ok: true, anchoredUntil: expect.any(Number) });
});

test("backup and restore refuse with what to use for PostgreSQL instead", async () => {
  const place = aPlaceOn(await aMigratedUrl());

  const backup = await command(place, ["backup", "saved"]);
  const restore = await command(place, ["restore", "saved"]);
  const ja = await command(aPlaceOn(await aMigratedUrl(), { LANG: "ja_JP.UTF-8" }), [
    "backup",
    "x",
  ]);

  expect(backup.stderr).toContain("pg_dump");
  expect(restore.stderr).toContain("pg_restore");
  expect(ja.stderr).toContain("PostgreSQL にあります");
  expect([backup, restore, ja].map(({ code }) => code)).toEqual([1, 1, 1]);
});

test("a blocked task stops its agent, which reads the notification and reports", async () => {
  const { story } = await theStory();
  await story.clear();
  const taskId = await story.start(aRequest("first in executor hang"));
  const { agentId } = lastAttempt(await story.reach(taskId, hasLive));
  const agent = await story.as(agentId ?? "");

  expect(await story.change(taskId, "blocked")).toMatchObject({ stopping: [agentId] });
  expect(await agent.call("report_progress", { stepId: "step-1" })).toHaveProperty("notification");
  expect(await agent.call("get_notifications")).toMatchObject({
    notifications: [{ action: "blocked", task_id: taskId }],
  });
  expect(await agent.call("write_note", { text: "まだ" })).toMatchObject({
    code: "STOP_REQUESTED",
  });
  await agent.call("report_completed", { result: "blocked" });

  const blocked = await story.reach(
    taskId,
    (task) => lastAttempt(task).status === "blocked" && isAtRest(task),
  );
  expect(blocked.status).toBe("blocked");
  expect(story.notes()).toEqual([]);
});

test("PostgreSQL is killed and started again under a working daemon, which goes on without a loss", async () => {
  const postgres = await aPostgres();
  await migratePostgres(postgres.url);
  const story = await aStory(SOON, { place: aPlaceOn(tcpUrl(postgres.url)) });
  const client = await anHttpClient(story.url());
  const work = keepStarting(client, await aGroup(client));
  const { acknowledged } = work;
  await until(() => acknowledged.length >= 5);

  await postgres.kill9();
  await until(async () => (await readiness(story.url())).status === 503);
  expect(await readiness(story.url())).toEqual({ status: 503, store: "failed" });
  expect(await story.ask("GET", "/api/groups")).toMatchObject({
    status: 503,
    body: { code: "STORE_UNAVAILABLE" },
  });
  // A client whose token cannot be looked up must not think that its token is wrong.
  const headers = { authorization: "Bearer any" };
  for (const path of ["/mcp", "/api/groups"]) {
    expect((await fetch(`${story.url()}${path}`, { method: "POST", headers })).status).toBe(503);
  }
  const status = await command(story.place, ["status"]);
  expect(status).toMatchObject({ code: 0, stderr: "" });
  expect(status.stdout).toContain("PostgreSQL does not answer (ECONNREFUSED)");
  await postgres.start();
  const before = acknowledged.length;
  await until(() => acknowledged.length >= before + 5);
  await work.stop();

  expect(work.refusals.every((code) => code === "STORE_UNAVAILABLE")).toBe(true);
  // The answer to monitors may be a second old.
  await expect
    .poll(async () => (await readiness(story.url())).status, { timeout: 5_000 })
    .toBe(200);
  const { completed } = await waitForAll(client, acknowledged);
  expect(completed).toHaveLength(acknowledged.length);
  for (const agentId of acknowledged) {
    expect(await statusOf(client, agentId)).toMatchObject({ result: { status: "success" } });
  }
  // Without its database the daemon can still be stopped in an orderly way.
  await postgres.stop();
  await story.stop();
  expect(readDaemonFile(story.place)).toBeUndefined();
});

test.runIf(HAS_ALL_ROUNDS)(
  "all connections are cut in the middle of a task, which is finished all the same",
  async () => {
    const proxy = await aCutProxy(await aMigratedUrl());
    const story = await aStory(SOON, { place: aPlaceOn(proxy.url) });
    const taskId = await story.start(aRequest("in executor sleep 1500"));

    for (let round = 0; round < 5; round += 1) {
      proxy.reset();
      await sleep(100);
    }
    proxy.cut();
    await until(async () => (await readiness(story.url())).status === 503);
    proxy.restore();
    await until(async () => (await readiness(story.url())).status === 200);

    const task = await story.reach(taskId, ({ status }) => status === "completed");
    expect(writesOf(story)).toBe(1);
    expect(lastAttempt(task).steps.every(({ status }) => status === "done")).toBe(true);
  },
);
