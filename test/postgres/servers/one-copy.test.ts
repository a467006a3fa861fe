import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { aStdioClient, command, readDaemonFile, SERVER_CACHE, until } from "../../kit/daemon.ts";
import { aMigratedUrl, aPlaceOn } from "../../kit/postgres/daemon-place.ts";
import { rowsOf, serverId, SETTINGS } from "../../kit/postgres/servers.ts";
import {
  aRequest,
  aStory,
  hasLive,
  lastAttempt,
  LONG_MS,
  tokenOf,
  type Story,
} from "../../kit/story.ts";

vi.setConfig({ testTimeout: LONG_MS });

const COUNTER = fileURLToPath(new URL("../../kit/upstream/counter-server.ts", import.meta.url));
const ANY_TOOL = { ...SETTINGS, tasks: { unplannedTools: "allow" } };
const line = z.object({ pid: z.number(), what: z.string() });

/**
 * Two servers. With `placement: one` the first one starts the counter, else both do. The test calls as
 * an executor that hangs.
 */
async function twoServers(placement: "one" | "each" = "one") {
  const url = await aMigratedUrl();
  const first = aPlaceOn(url);
  const journal = join(first.dir, "counter-journal");
  const counter = {
    command: process.execPath,
    args: [COUNTER, journal],
    env: SERVER_CACHE,
    placement,
    tools: { look: { readOnly: true } },
  };
  const ownerRow = async () =>
    (await rowsOf(url, "select owner, listing is null as is_new from upstream_owners"))[0];
  // It runs no agents, so that they are not lost with it.
  const idle = { ...ANY_TOOL, server: { slots: 0 } };
  const owner = await aStory(idle, { place: first, servers: { counter } });
  if (placement === "one") await until(async () => (await ownerRow())?.["is_new"] === false);
  const other = await aStory(ANY_TOOL, { place: aPlaceOn(url), servers: { counter } });
  const lines = () =>
    existsSync(journal)
      ? readFileSync(journal, "utf8")
          .split("\n")
          .filter(Boolean)
          .map((each) => line.parse(JSON.parse(each)))
      : [];
  return {
    url,
    owner,
    other,
    ownerRow,
    pids: () => lines().flatMap(({ pid, what }) => (what === "started" ? [pid] : [])),
    count: (what: string) => lines().filter((each) => each.what === what).length,
  };
}

/** A task whose executor hangs. */
async function anExecutorOn(story: Story) {
  const taskId = await story.start(aRequest("first in executor hang"));
  const { agentId } = lastAttempt(await story.reach(taskId, hasLive));
  return { taskId, agentId: agentId ?? "" };
}

test("one copy serves the agents of all servers, with one state, and finishes the call of a server that stops", async () => {
  const { url, owner, other, pids, count } = await twoServers();
  const { agentId } = await anExecutorOn(other);
  const [here, there] = [await other.as(agentId), await owner.as(agentId)];

  expect((await here.client.listTools()).tools.map(({ name }) => name)).toContain("add");
  const counts = [];
  for (const [client, by] of [
    [here, 1],
    [there, 10],
    [here, 100],
    [there, 1_000],
  ] as const) {
    counts.push((await client.call("add", { by }))["count"]);
  }

  expect(counts).toEqual([1, 11, 111, 1_111]);
  expect(pids()).toHaveLength(1);
  const failed = await here.client.callTool({ name: "fail", arguments: {} });
  expect(failed).toMatchObject({ isError: true, content: [{ text: "It is broken." }] });

  const env = { ...other.place.env, KUROMAJUTSU_AGENT_TOKEN: tokenOf(agentId) };
  const local = await aStdioClient({ ...other.place, env });
  const gate = join(owner.place.dir, "gate");
  const cut = local.call("add", { by: 1, gate }).catch(() => undefined);
  await until(() => count("add") === 5);
  await other.end("SIGTERM");
  await cut;
  writeFileSync(gate, "");
  const last = "select status, answer from tool_calls order by started_at desc limit 1";
  await until(async () => (await rowsOf(url, last))[0]?.["status"] === "done");
  expect((await rowsOf(url, last))[0]?.["answer"]).toContain('"count":1112');
  expect(count("cancelled")).toBe(0);
});

test("the owner is killed: its call in flight is asked about, another server starts a copy, and calls go on there", async () => {
  const { owner, other, pids, count, ownerRow } = await twoServers();
  const { taskId, agentId } = await anExecutorOn(other);
  const client = await other.as(agentId);
  const args = { by: 1, pauseMs: 60_000 };
  const lost = client.call("add", args);
  await until(() => count("add") === 1);

  await owner.end("SIGKILL");

  const asked = await other.pending(taskId, "outcome");
  expect((await lost)["code"]).toBe("OUTCOME_UNKNOWN");
  await until(async () => (await ownerRow())?.["owner"] === serverId(other.place));
  await until(() => pids().length === 2);
  await other.decide(asked, "approve", { answer: "done" });
  await until(async () => (await client.call("add", { by: 5 }))["count"] === 5);
  expect(count("add")).toBe(2);
});

test("an owner that is stopped hands the copy over at once", async () => {
  const { owner, other, pids, ownerRow } = await twoServers();
  const { agentId } = await anExecutorOn(other);

  await owner.end("SIGTERM");

  await until(async () => (await ownerRow())?.["owner"] === serverId(other.place));
  await until(() => pids().length === 2);
  const client = await other.as(agentId);
  await expect
    .poll(async () => (await client.call("add", { by: 2 }))["count"], { timeout: 10_000 })
    .toBe(2);
});

test("a block through one server cancels the call that the owner carries out for it, and none is sent after", async () => {
  const { other, count } = await twoServers();
  const { taskId, agentId } = await anExecutorOn(other);
  const client = await other.as(agentId);
  const calling = client.call("add", { by: 1, pauseMs: 60_000 });
  await until(() => count("add") === 1);

  const changed = await other.ask("PATCH", `/api/tasks/${taskId}`, { status: "blocked" });

  expect(changed.body).toMatchObject({ task: { status: "blocked" }, stopping: [agentId] });
  expect(changed.body).not.toHaveProperty("unconfirmedCalls");
  await until(() => count("cancelled") === 1);
  expect((await calling)["code"]).toBe("STOP_REQUESTED");
  expect((await client.call("add", { by: 2 }))["code"]).toBe("STOP_REQUESTED");
  expect(count("add")).toBe(1);
});

test("an owner that does not answer is named, and nothing is sent later", async () => {
  const { owner, other, count } = await twoServers();
  const { agentId } = await anExecutorOn(other);
  const client = await other.as(agentId);
  await client.call("add", { by: 1 });
  const pid = readDaemonFile(owner.place)?.pid ?? 0;

  process.kill(pid, "SIGSTOP");
  const refused = await client.call("add", { by: 2 });
  process.kill(pid, "SIGCONT");

  expect(refused["code"]).toBe("UPSTREAM_UNAVAILABLE");
  expect(String(refused["message"])).toContain(serverId(owner.place));
  expect((await client.call("add", { by: 4 }))["count"]).toBe(5);
  expect(count("add")).toBe(2);
});

test("a call that another server carries out shows its progress, and ends there when its client cancels it", async () => {
  const { other, count } = await twoServers();
  const { taskId, agentId } = await anExecutorOn(other);
  const { client } = await other.as(agentId);
  const seen: unknown[] = [];
  const stop = new AbortController();
  const options = {
    signal: stop.signal,
    onprogress: ({ message }: { message?: string | undefined }) => void seen.push(message),
  };

  const args = { by: 1, steps: 3, pauseMs: 60_000 };
  const adding = client.callTool({ name: "add", arguments: args }, options);
  const looking = client.callTool({ name: "look", arguments: {} }, options);
  await until(() => seen.includes("3 of 3") && count("look") === 1);
  stop.abort();

  const ended = await Promise.allSettled([adding, looking]);
  expect(ended.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await until(() => count("cancelled") === 2);
  expect((await other.pending(taskId, "outcome")).shown).toMatchObject({ tool: "counter/add" });
  const { toolCalls } = await other.reach(taskId, ({ toolCalls: calls }) =>
    calls.every(({ status }) => status !== "forwarded"),
  );
  expect(Object.fromEntries(toolCalls.map(({ tool, status }) => [tool, status]))).toEqual({
    add: "outcome_unknown",
    look: "cancelled",
  });
});

test("placement is changed from one to each while a call is in flight: copies stay, and nothing is sent twice", async () => {
  const { owner, other, pids, count, ownerRow } = await twoServers();
  const { agentId } = await anExecutorOn(other);
  const [here, there] = [await other.as(agentId), await owner.as(agentId)];
  const gate = join(owner.place.dir, "gate");
  const inFlight = here.call("add", { by: 1, gate });
  await until(() => count("add") === 1);

  await changePlacement(owner, "each");
  // The other server has not read its configuration again, and runs the one copy now.
  await until(async () => (await ownerRow())?.["owner"] === serverId(other.place));
  await expect.poll(async () => (await here.call("add", { by: 10 }))["count"]).toBe(10);
  await changePlacement(other, "each");
  await until(async () => (await ownerRow()) === undefined);
  writeFileSync(gate, "");

  expect((await inFlight)["count"]).toBe(1);
  expect((await here.call("add", { by: 20 }))["count"]).toBe(30);
  expect((await there.call("add", { by: 100 }))["count"]).toBe(101);
  expect(pids()).toHaveLength(2);
  expect(count("add")).toBe(4);
});

test("placement is changed from each to one while a call is in flight: the copy that stays keeps its state", async () => {
  const { owner, other, pids, count, ownerRow } = await twoServers("each");
  const { agentId } = await anExecutorOn(other);
  const [here, there] = [await other.as(agentId), await owner.as(agentId)];
  await until(() => pids().length === 2);
  const gate = join(owner.place.dir, "gate");
  const ending = await here.call("add", { by: 10 });
  const staying = await there.call("add", { by: 1 });
  expect([ending["count"], staying["count"]]).toEqual([10, 1]);
  const inFlight = there.call("add", { by: 2, gate });
  await until(() => count("add") === 3);

  await changePlacement(owner, "one");
  await until(async () => (await ownerRow())?.["owner"] === serverId(owner.place));
  expect((await there.call("add", { by: 100 }))["count"]).toBe(103);
  await changePlacement(other, "one");
  await until(() => !isRunning(ending["pid"]));
  writeFileSync(gate, "");

  expect((await inFlight)["count"]).toBe(103);
  expect((await here.call("add", { by: 1_000 }))["count"]).toBe(1_103);
  expect(await there.call("add", { by: 10_000 })).toMatchObject({ ...staying, count: 11_103 });
  expect(pids()).toHaveLength(2);
});

function isRunning(pid: unknown): boolean {
  return existsSync(`/proc/${String(pid)}`);
}

async function changePlacement({ place }: Story, to: "one" | "each"): Promise<void> {
  const file = join(place.dir, "kuromajutsu.config.yaml");
  const before = readFileSync(file, "utf8");
  writeFileSync(file, before.replace(/"placement":"(one|each)"/, `"placement":"${to}"`));
  expect(await command(place, ["reload"])).toMatchObject({ code: 0 });
}
