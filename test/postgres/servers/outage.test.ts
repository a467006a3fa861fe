import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { migratePostgres } from "../../../src/adapters/store/postgres/migrate.ts";
import { waitForAll } from "../../kit/agents.ts";
import { command, until } from "../../kit/daemon.ts";
import { aCutProxy } from "../../kit/postgres/cut-proxy.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { aPostgres, tcpUrl } from "../../kit/postgres/database.ts";
import {
  agentRows,
  ask,
  aServer,
  isAlive,
  LEASE_MS,
  rowsOf,
  running,
  type TestServer,
} from "../../kit/postgres/servers.ts";
import { HAS_ALL_ROUNDS } from "../../kit/rounds.ts";

const KILLS = 10;
const HANG = { prompt: "#rehearsal hang" };
const groupShape = z.object({ groupId: z.string() });

/** Creates groups until the signal, and returns the ids of those that were acknowledged. */
async function keepCreating(server: TestServer, done: AbortSignal): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  for (let round = 0; !done.aborted; round++) {
    const answer = await ask(server, "POST", "/api/groups", {
      json: { description: `${round}` },
    }).catch(() => undefined);
    if (answer?.status === 201) acknowledged.push(groupShape.parse(answer.body).groupId);
    else await sleep(50);
  }
  return acknowledged;
}

test.runIf(HAS_ALL_ROUNDS)(
  "PostgreSQL is killed under load: no server ends, no agent is lost, and what was acknowledged is there",
  async () => {
    const postgres = await aPostgres();
    await migratePostgres(postgres.url);
    const url = tcpUrl(postgres.url);
    const a = await aServer(url);
    const ofA = await running(a, [HANG, HANG]);
    const b = await aServer(url);
    const done = new AbortController();
    const creating = [a, b].map((server) => keepCreating(server, done.signal));

    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(500);
      await postgres.kill9();
      // The first outage is longer than the leases: afterwards both are old.
      await sleep(kill === 0 ? 2 * LEASE_MS : 300);
      await postgres.start();
      await until(
        async () =>
          (await ask(a, "POST", "/api/groups", { json: { description: "back" } })).status === 201,
      );
    }
    await sleep(3 * LEASE_MS);
    done.abort();
    const acknowledged = (await Promise.all(creating)).flat();

    expect([a, b].map(({ daemon }) => daemon.process.exitCode)).toEqual([null, null]);
    expect((await agentRows(url)).map(({ status }) => status)).toEqual(["running", "running"]);
    expect(ofA.agentIds.map(isAlive)).toEqual([true, true]);
    for (const { place } of [a, b]) expect(place.log()).not.toContain("took over");
    const known = new Set((await rowsOf(url, "select id from groups")).map(({ id }) => String(id)));
    expect(acknowledged.filter((id) => !known.has(id))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(10);
    const more = await running(b, [{ prompt: "#rehearsal sleep 50" }]);
    expect(await waitForAll(a.main, more.agentIds)).toMatchObject({ pending: [] });
    const verified = await command(a.place, ["audit", "verify"]);
    expect([verified.code, verified.stderr]).toEqual([0, ""]);
  },
);

test("a server that is cut off from the database past its lease loses its agents and kills them itself", async () => {
  const url = await aMigratedUrl();
  const proxy = await aCutProxy(url);
  const a = await aServer(proxy.url);
  const { agentIds } = await running(a, [HANG]);
  const b = await aServer(url);
  await sleep(LEASE_MS);

  proxy.cut();
  await until(async () => (await agentRows(url))[0]?.status === "lost", undefined, 30_000);
  proxy.restore();

  await until(() => agentIds.every((id) => !isAlive(id)), undefined, 30_000);
  expect([a, b].map(({ daemon }) => daemon.process.exitCode)).toEqual([null, null]);
  await b.daemon.kill("SIGTERM");
  const own = await running(a, [{ prompt: "#rehearsal sleep 50" }]);
  expect(await waitForAll(a.main, own.agentIds)).toMatchObject({ pending: [] });
});

async function timed<T>(work: Promise<T>) {
  const begun = performance.now();
  return { answer: await work, ms: performance.now() - begun };
}

test("a server whose line to the database drops packets answers in time, stays alive and works again afterwards", async () => {
  const proxy = await aCutProxy(await aMigratedUrl());
  const a = await aServer(proxy.url);
  const create = () => ask(a, "POST", "/api/groups", { json: { description: "x" } });
  await until(async () => (await ask(a, "GET", "/api/health/ready")).status === 200);

  proxy.stall();
  // The last answer of `ready` is used for a second.
  await sleep(1_100);
  const [ready, created] = await Promise.all([
    timed(ask(a, "GET", "/api/health/ready")),
    timed(create()),
  ]);
  const again = await timed(ask(a, "GET", "/api/health/ready"));

  for (const { answer, ms } of [ready, again]) {
    expect([answer.status, answer.body["store"]]).toEqual([503, "failed"]);
    expect(ms).toBeLessThan(5_000);
  }
  expect(created.answer.status).toBe(503);
  expect(JSON.stringify(created.answer.body)).toContain("STORE_UNAVAILABLE");
  expect(created.ms).toBeLessThan(25_000);

  proxy.restore();
  await until(async () => (await ask(a, "GET", "/api/health/ready")).status === 200);
  expect((await create()).status).toBe(201);
  expect(a.daemon.process.exitCode).toBeNull();
});
