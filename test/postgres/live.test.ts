import { expect, test } from "vitest";
import { z } from "zod";
import { aGroup, runAll, waitForAll } from "../kit/agents.ts";
import { anHttpClient, until } from "../kit/daemon.ts";
import { aDashboard, aFollower } from "../kit/live-client.ts";
import { aDatabase } from "../kit/postgres/database.ts";
import { aConnection, ask } from "../kit/postgres/servers.ts";
import { twoServers } from "../kit/postgres/two-servers.ts";
import { HAS_ALL_ROUNDS, rounds } from "../kit/rounds.ts";
import { sharedByTests } from "../kit/when-done.ts";

const CONFIG = "agent:\n  runner: rehearsal\n  maxConcurrent: 6\n";
const bothServers = sharedByTests(() => twoServers(CONFIG));
const SCRIPT = "#rehearsal sleep 200\n#rehearsal deltas 300\n#rehearsal sleep 300\n";
const OPEN_MS = rounds({ all: 20_000, few: 5_000 });
/** Writes something every 100 ms. */
const TALKS = Array.from(
  { length: rounds({ all: 150, few: 10 }) },
  (_, n) => `#rehearsal say ${n}\n#rehearsal sleep 100\n`,
);

test("a dashboard that moves between two servers in mid-stream has no gap and nothing twice", async () => {
  const { a, b } = await bothServers();
  const client = await anHttpClient(a.url);
  const follower = aFollower();
  const groupId = await aGroup(client, "moving");
  const agentIds = await runAll(
    client,
    groupId,
    Array.from({ length: 6 }, () => ({ prompt: SCRIPT })),
  );

  const ends = new AbortController();
  const done = waitForAll(client, agentIds).finally(() => ends.abort());
  let moves = 0;
  while (!ends.signal.aborted) {
    const dashboard = await aDashboard(moves++ % 2 === 0 ? a.url : b.url, follower.hello());
    await until(() => dashboard.messages.length >= 3 || ends.signal.aborted);
    dashboard.socket.terminate();
    for (const frame of dashboard.frames()) follower.take(frame);
  }
  await done;
  for (const { url } of [a, b]) {
    const last = await aDashboard(url, follower.hello());
    await until(() => last.messages.length > 0);
    for (const frame of last.frames()) follower.take(frame);
  }

  expect(moves).toBeGreaterThan(2);
  expect(follower.problems).toEqual([]);
  expect(follower.count("snapshot")).toBeGreaterThan(2);
  for (const agentId of agentIds) {
    expect(follower.stateOf(agentId)).toMatchObject({ agentId, status: "resultReported" });
  }
});

test("a dashboard on one server sees progress of agents on the other within 200 ms", async () => {
  const { a, b } = await bothServers();
  const client = await anHttpClient(b.url);
  const [atA, atB] = [await watching(a.url), await watching(b.url)];
  const groupId = await aGroup(client, "elsewhere");
  const agentIds = await runAll(
    client,
    groupId,
    Array.from({ length: 6 }, () => ({ prompt: TALKS.join("") })),
  );
  await waitForAll(client, agentIds);

  // Every agent runs on one of the servers, so one of the dashboards is on the other.
  const delays = [...atA].flatMap(([progress, at]) => {
    const there = atB.get(progress);
    return there === undefined ? [] : [Math.abs(at - there)];
  });
  expect(delays.length).toBeGreaterThan(HAS_ALL_ROUNDS ? 200 : agentIds.length);
  // `npm test` runs beside others on a busy machine, where single pauses say nothing.
  expect(quantile(delays, HAS_ALL_ROUNDS ? 0.99 : 0.5)).toBeLessThan(200);
});

test("dashboards of two servers stay under 200 ms while a transaction of another database stays open", async () => {
  const { a, b } = await bothServers();
  const other = await aConnection(await aDatabase());
  await other.query("create table held (id int)");
  const [atA, atB] = [await groupsSeenAt(a.url), await groupsSeenAt(b.url)];
  await other.query("begin");
  await other.query("insert into held values (1)");

  const delays: number[] = [];
  const end = performance.now() + OPEN_MS;
  while (performance.now() < end) {
    const sentAt = performance.now();
    const { body } = await ask(a, "POST", "/api/groups", { json: { description: "moment" } });
    const groupId = String(body["groupId"]);
    await until(() => atA.has(groupId) && atB.has(groupId));
    delays.push(...[atA, atB].map((seen) => (seen.get(groupId) ?? Number.NaN) - sentAt));
  }
  await other.query("rollback");

  expect(delays.length).toBeGreaterThan(HAS_ALL_ROUNDS ? 100 : 20);
  // The others are pauses of a busy machine: a stall would be in most of them.
  expect(quantile(delays, HAS_ALL_ROUNDS ? 0.99 : 0.9)).toBeLessThan(200);
});

function quantile(delays: readonly number[], share: number): number {
  const sorted = delays.toSorted((x, y) => x - y);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

/** When a dashboard there has seen each group that was created. */
async function groupsSeenAt(url: string): Promise<ReadonlyMap<string, number>> {
  const seen = new Map<string, number>();
  const dashboard = await aDashboard(url);
  await dashboard.frame("snapshot");
  dashboard.socket.on("message", () => {
    const frame = dashboard.frames().at(-1);
    for (const { type, data } of frame?.t === "events" ? frame.ev : []) {
      if (type === "group:created") seen.set(data.groupId, performance.now());
    }
  });
  return seen;
}

const progressShape = z.object({ agentId: z.string(), lastMessage: z.string().min(1) });

/** When a dashboard there has seen each progress of an agent first. */
async function watching(url: string): Promise<ReadonlyMap<string, number>> {
  const seen = new Map<string, number>();
  const dashboard = await aDashboard(url);
  await dashboard.frame("snapshot");
  dashboard.socket.on("message", () => {
    const frame = dashboard.frames().at(-1);
    for (const { type, data } of frame?.t === "events" ? frame.ev : []) {
      const progress = type === "agent:status_update" && progressShape.safeParse(data).data;
      if (!progress) continue;
      const key = `${progress.agentId} ${progress.lastMessage}`;
      if (!seen.has(key)) seen.set(key, performance.now());
    }
  });
  return seen;
}
