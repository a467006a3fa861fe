import { expect, onTestFinished, test } from "vitest";
import { commitWithRetry } from "../../src/adapters/store/postgres/engine/commits.ts";
import { createPool } from "../../src/adapters/store/postgres/engine/connect.ts";
import { openPostgresStore } from "../../src/adapters/store/postgres/postgres-store.ts";
import { openServers } from "../../src/adapters/store/postgres/servers.ts";
import type { Store } from "../../src/app/ports/store.ts";
import { errorCode } from "../../src/base/error-code.ts";
import { aGroup } from "../kit/builders.ts";
import { aCutProxy } from "../kit/postgres/cut-proxy.ts";
import { aMigratedUrl } from "../kit/postgres/daemon-place.ts";
import { rowsOf } from "../kit/postgres/servers.ts";
import { HAS_ALL_ROUNDS } from "../kit/rounds.ts";

/** The limit of an answer is 12 seconds, and of a new connection 10. */
const BOUND_MS = 25_000;
const DETAILS = {
  host: "h",
  pid: 1,
  version: "1",
  url: null,
  configHash: "1",
  slots: null,
  labels: [],
};

async function aStore(url: string): Promise<Store> {
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  return store;
}

/** The code with which this ends, and after which time. */
async function endOf(work: Promise<unknown>) {
  const begun = performance.now();
  const code = await work.then(() => "nothing", errorCode);
  return { code, ms: performance.now() - begun };
}

test("PostgreSQL ends statements, waits for locks and idle transactions of the store in time", async () => {
  const pool = createPool({ url: await aMigratedUrl(), name: "test" }, 1);
  onTestFinished(() => pool.end());
  const { rows } = await pool.query(`select current_setting('statement_timeout') as statement,
    current_setting('lock_timeout') as lock,
    current_setting('idle_in_transaction_session_timeout') as idle`);

  expect(rows).toEqual([{ statement: "10s", lock: "5s", idle: "4s" }]);
});

test.runIf(HAS_ALL_ROUNDS)(
  "the limit of the client is above that of the server, so a slow statement ends with the error of PostgreSQL",
  async () => {
    const pool = createPool({ url: await aMigratedUrl(), name: "test" }, 1);
    onTestFinished(() => pool.end());

    await expect(pool.query("select pg_sleep(60)")).rejects.toMatchObject({ code: "57014" });
  },
);

test("reads and units of work on a line that drops packets end in STORE_UNAVAILABLE in time, and work again afterwards", async () => {
  const proxy = await aCutProxy(await aMigratedUrl());
  const store = await aStore(proxy.url);
  await store.transaction((unit) => unit.insertGroup(aGroup()));

  proxy.stall();
  const ends = await Promise.all(
    [
      store.getGroup(aGroup().id),
      store.transaction((unit) => unit.getGroup(aGroup().id)),
      store.checkWritable(),
    ].map(endOf),
  );
  for (const { code, ms } of ends) {
    expect(code).toBe("STORE_UNAVAILABLE");
    expect(ms).toBeLessThan(BOUND_MS);
  }

  proxy.restore();
  await expect.poll(() => store.checkWritable().then(() => "ok", String)).toBe("ok");
  expect(await store.transaction((unit) => unit.getGroup(aGroup().id))).toEqual(aGroup());
});

test("a unit whose statement is not answered ends in time, and its connection is not used again", async () => {
  const url = await aMigratedUrl();
  const proxy = await aCutProxy(url);
  const pool = createPool({ url: proxy.url, name: "test", queryTimeoutMs: 1_000 }, 1);
  onTestFinished(() => pool.end());
  const pidOf = async () => (await pool.query("select pg_backend_pid() as pid")).rows[0]?.pid;
  const before = await pidOf();

  const { code, ms } = await endOf(
    commitWithRetry(pool, async (db) => {
      proxy.stall("answers");
      await db.selectFrom("groups").selectAll().execute();
    }),
  );
  expect(code).toBe("STORE_UNAVAILABLE");
  expect(ms).toBeLessThan(5_000);
  proxy.restore();

  expect(await pidOf()).not.toBe(before);
  expect(pool.totalCount).toBe(1);
});

test("a beat on a line that drops packets fails within the lease, and the next one takes a new connection", async () => {
  const proxy = await aCutProxy(await aMigratedUrl());
  const servers = openServers({ url: proxy.url, id: "srv-a", leaseMs: 6_000 });
  onTestFinished(() => servers.close());
  await servers.join(DETAILS);

  proxy.stall();
  const { code, ms } = await endOf(servers.beat());
  expect(code).toBe("STORE_UNAVAILABLE");
  expect(ms).toBeLessThan(4_000);

  proxy.restore();
  expect(await servers.beat()).toBeDefined();
});

test.runIf(HAS_ALL_ROUNDS)(
  "the connection for live events is replaced when its line drops packets",
  async () => {
    const url = await aMigratedUrl();
    const proxy = await aCutProxy(url);
    await aStore(proxy.url);
    const listeners = () =>
      rowsOf(
        url,
        `select pid from pg_stat_activity where datname = current_database()
        and (query like 'listen%' or query = 'select 1')`,
      );
    await expect.poll(async () => (await listeners()).length).toBe(1);
    const [before] = await listeners();

    proxy.stall();
    await new Promise((resolve) => setTimeout(resolve, 24_000));
    proxy.restore();

    await expect
      .poll(async () => (await listeners()).some(({ pid }) => pid !== before?.["pid"]))
      .toBe(true);
  },
);

test("two units that lock two rows in opposite order both commit: the one that meets the deadlock is repeated", async () => {
  const store = await aStore(await aMigratedUrl());
  const [one, two] = [aGroup({ id: "grp-1" }), aGroup({ id: "grp-2" })];
  await store.transaction(async (unit) => {
    for (const group of [one, two]) await unit.insertGroup(group);
  });
  let runs = 0;
  const bothHaveOne = Promise.withResolvers<void>();
  const rename = (first: string, second: string) =>
    store.transaction(async (unit) => {
      runs++;
      const group = await unit.getGroup(first);
      if (runs === 2) bothHaveOne.resolve();
      await bothHaveOne.promise;
      const other = await unit.getGroup(second);
      if (!group || !other) throw new Error("No group.");
      for (const each of [group, other]) {
        await unit.updateGroup({ ...each, description: `${each.description}+` }, each);
      }
    });

  await Promise.all([rename("grp-1", "grp-2"), rename("grp-2", "grp-1")]);

  expect(runs).toBeGreaterThan(2);
  for (const { id } of [one, two]) {
    expect(await store.getGroup(id)).toMatchObject({ description: `${one.description}++` });
  }
});
