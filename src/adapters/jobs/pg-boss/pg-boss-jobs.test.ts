import { setTimeout as sleep } from "node:timers/promises";
import { getRollbackPlans } from "pg-boss";
import bossPackage from "pg-boss/package.json" with { type: "json" };
import { expect, onTestFinished, test } from "vitest";
import {
  jobsContract,
  running,
  settle,
  type StoreWithJobs,
} from "../../../../test/contract/jobs-contract.ts";
import { aMigratedUrl } from "../../../../test/kit/postgres/daemon-place.ts";
import { rowsOf } from "../../../../test/kit/postgres/servers.ts";
import type { Log } from "../../../app/ports/world.ts";
import type { AgentId } from "../../../domain/ids.ts";
import { migratePostgres } from "../../store/postgres/migrate.ts";
import { openPostgresStore } from "../../store/postgres/postgres-store.ts";
import { HOUR_MS } from "../hour.ts";
import { JOBS_SCHEMA, JOBS_SCHEMA_VERSION } from "./queues.ts";

async function openOn(url: string, log?: Log): Promise<StoreWithJobs> {
  const store = await openPostgresStore({ url, log });
  if (!store.jobs) throw new Error("The store has no jobs.");
  return { store, jobs: store.jobs };
}

/** One of several servers on a database. */
async function aServerOn(url: string, log?: Log): Promise<StoreWithJobs> {
  const opened = await openOn(url, log);
  onTestFinished(() => opened.store.close());
  return opened;
}

jobsContract("a server with PostgreSQL", async () => openOn(await aMigratedUrl()));

const reactions = (url: string) =>
  rowsOf(
    url,
    "select state, retry_count from kuromajutsu_jobs.job where name = 'reactions' order by created_on",
  );

/** A log that keeps its errors. */
function aLog() {
  const errors: Readonly<Record<string, unknown>>[] = [];
  const log: Log = {
    debug() {},
    info() {},
    warn() {},
    error: (message, fields) => void errors.push({ message, ...fields }),
  };
  return { log, errors };
}

test("the schema that this version expects is that of the pinned package", () => {
  expect(JOBS_SCHEMA_VERSION).toBe(bossPackage.pgboss.schema);
});

test("migrate upgrades the queues of the version of pg-boss before this one", async () => {
  const url = await aMigratedUrl();
  await rowsOf(url, getRollbackPlans(JOBS_SCHEMA, JOBS_SCHEMA_VERSION));
  await expect(openPostgresStore({ url })).rejects.toThrow("job queues of this version");

  expect(await migratePostgres(url)).toEqual([`${JOBS_SCHEMA}-${JOBS_SCHEMA_VERSION}`]);

  const server = await aServerOn(url);
  const seen: string[] = [];
  running(server, async ({ id }) => void seen.push(id));
  await settle(server.store, "impl-code-1-a");
  await expect.poll(() => seen).toEqual(["impl-code-1-a"]);
  expect(await migratePostgres(url)).toEqual([]);
});

test("a job of a server that died before it began is run by another one, once, and completed", async () => {
  const url = await aMigratedUrl();
  const dead = await aServerOn(url);
  const seen: string[] = [];
  for (const { store, jobs } of [await aServerOn(url), await aServerOn(url)]) {
    running({ store, jobs }, async ({ id }) => void seen.push(id));
  }

  await settle(dead.store, "impl-code-1-a");

  await expect.poll(() => seen, { timeout: 20_000 }).toEqual(["impl-code-1-a"]);
  await expect.poll(() => reactions(url)).toMatchObject([{ state: "completed" }]);
  await sleep(3_000);
  expect(seen).toEqual(["impl-code-1-a"]);
});

test("many jobs that a server left are run in batches, and all are completed", async () => {
  const url = await aMigratedUrl();
  const dead = await aServerOn(url);
  const ids = Array.from({ length: 70 }, (_, n): AgentId => `impl-code-1-${n}`);
  for (const id of ids) await settle(dead.store, id);
  let atOnce = 0;
  let most = 0;
  const seen = new Set<string>();
  running(await aServerOn(url), async ({ id }) => {
    most = Math.max(most, ++atOnce);
    seen.add(id);
    await sleep(20);
    atOnce--;
  });

  await expect.poll(() => seen.size, { timeout: 30_000 }).toBe(ids.length);

  expect(most).toBeLessThanOrEqual(20);
  const open = async () => (await reactions(url)).filter(({ state }) => state !== "completed");
  await expect.poll(open, { timeout: 10_000 }).toEqual([]);
});

test("a job that takes longer than its head start is not begun again by its own server", async () => {
  const url = await aMigratedUrl();
  const server = await aServerOn(url);
  const seen: string[] = [];
  running(server, async ({ id }) => {
    seen.push(id);
    await sleep(6_000);
  });

  await settle(server.store, "impl-code-1-a");

  await expect
    .poll(() => reactions(url), { timeout: 20_000 })
    .toMatchObject([{ state: "completed" }]);
  expect(seen).toEqual(["impl-code-1-a"]);
});

test("a job of a server that was paused is repeated by another one, and completed by neither twice", async () => {
  const url = await aMigratedUrl();
  await rowsOf(
    url,
    "update kuromajutsu_jobs.queue set expire_seconds = 1, retry_delay = 0, retry_backoff = false",
  );
  const dead = await aServerOn(url);
  const gate = Promise.withResolvers<void>();
  const seen: string[] = [];
  running(await aServerOn(url), async () => {
    seen.push("first");
    // The first attempt hangs; a later one, on either server, does not.
    if (seen.length === 1) await gate.promise;
  });
  await settle(dead.store, "impl-code-1-a");
  await expect.poll(() => seen, { timeout: 20_000 }).toEqual(["first"]);

  running(await aServerOn(url), async () => void seen.push("second"));
  await expect
    .poll(() => reactions(url), { timeout: 40_000 })
    .toMatchObject([{ state: "completed", retry_count: 1 }]);
  gate.resolve();
  await sleep(500);

  expect(seen).toHaveLength(2);
  expect(await reactions(url)).toMatchObject([{ state: "completed", retry_count: 1 }]);
});

test("a job that always fails ends as a dead letter, which is logged once, hinders no other job, and can be tried again", async () => {
  const url = await aMigratedUrl();
  await rowsOf(
    url,
    "update kuromajutsu_jobs.queue set retry_limit = 1, retry_delay = 0, retry_backoff = false",
  );
  const { log, errors } = aLog();
  const servers = [await aServerOn(url, log), await aServerOn(url, log)];
  const done: string[] = [];
  let isMended = false;
  for (const server of servers) {
    running(server, async ({ id }) => {
      if (id === "impl-code-1-bad" && !isMended) throw new Error("always");
      done.push(id);
    });
  }
  const [{ store, jobs } = await aServerOn(url)] = servers;

  await settle(store, "impl-code-1-bad");
  await expect.poll(() => jobs.countDead(), { timeout: 60_000 }).toEqual({ agent_settled: 1 });
  await settle(store, "impl-code-1-good");

  await expect.poll(() => done).toEqual(["impl-code-1-good"]);
  await expect
    .poll(() => errors, { timeout: 60_000 })
    .toMatchObject([{ kind: "agent_settled", id: "impl-code-1-bad", error: "Error: always" }]);
  // Logged dead letters are still counted and listed.
  expect(await jobs.countDead()).toEqual({ agent_settled: 1 });
  const [dead] = await jobs.listDead(10);
  expect(dead).toMatchObject({ kind: "agent_settled", tries: 2, error: "Error: always" });
  expect(dead?.subjectId).toBe("impl-code-1-bad");

  isMended = true;
  const { length: stored } = await reactions(url);
  const dying = store.transaction(async (unit) => {
    await unit.retryDeadJobs();
    throw new Error("rolled back");
  });
  await expect(dying).rejects.toThrow("rolled back");
  expect(await jobs.listDead(10)).toEqual([dead]);
  expect(await reactions(url)).toHaveLength(stored);
  const retries = servers.map((each) => each.store.transaction((unit) => unit.retryDeadJobs()));
  expect((await Promise.all(retries)).flat()).toEqual([
    { kind: "agent_settled", subjectId: "impl-code-1-bad" },
  ]);
  await expect
    .poll(() => done, { timeout: 20_000 })
    .toEqual(["impl-code-1-good", "impl-code-1-bad"]);
  expect(await reactions(url)).toHaveLength(stored + 1);
  expect(await jobs.countDead()).toEqual({});
});

test("two servers do the hourly work once in an hour", async () => {
  const url = await aMigratedUrl();
  // Not across the end of an hour of the clock: the next one has a job of its own.
  const leftMs = HOUR_MS - (Date.now() % HOUR_MS);
  if (leftMs < 10_000) await sleep(leftMs);
  let purges = 0;
  for (const server of [await aServerOn(url), await aServerOn(url)]) {
    running(server, async () => undefined);
    onTestFinished(server.jobs.everyHour("purge_history", async () => void purges++));
  }

  await expect.poll(() => purges).toBe(1);
  await sleep(1_000);
  expect(purges).toBe(1);
});

test("a role that may only read and write rows runs jobs", async () => {
  const url = await aMigratedUrl();
  const role = `rows_${Date.now()}`;
  await rowsOf(
    url,
    `create role ${role} login password 'rows';
     grant usage on schema public, kuromajutsu_jobs to ${role};
     grant select, insert, update, delete on all tables in schema public to ${role};
     grant usage on all sequences in schema public to ${role};
     grant select, insert, update, delete on all tables in schema kuromajutsu_jobs to ${role}`,
  );
  onTestFinished(async () => {
    await rowsOf(url, `drop owned by ${role}; drop role ${role}`);
  });
  const asRole = url.replace(/\/\/[^@]+@/, `//${role}:rows@`);
  const { log, errors } = aLog();
  const server = await aServerOn(asRole, log);
  const dead = await aServerOn(asRole);
  const seen: string[] = [];
  running(server, async ({ id }) => void seen.push(id));

  await settle(server.store, "impl-code-1-own");
  await settle(dead.store, "impl-code-1-left");

  await expect
    .poll(() => seen, { timeout: 20_000 })
    .toEqual(["impl-code-1-own", "impl-code-1-left"]);
  await expect
    .poll(() => reactions(url))
    .toMatchObject([{ state: "completed" }, { state: "completed" }]);
  expect(errors).toEqual([]);
});
