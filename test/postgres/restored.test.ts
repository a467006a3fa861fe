import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { migratePostgres } from "../../src/adapters/store/postgres/migrate.ts";
import {
  openPostgresStore,
  type OpenPostgresStore,
} from "../../src/adapters/store/postgres/postgres-store.ts";
import { settleRestore } from "../../src/adapters/store/postgres/restores.ts";
import { openServers } from "../../src/adapters/store/postgres/servers.ts";
import { anEvent } from "../contract/store/kit.ts";
import { runAll } from "../kit/agents.ts";
import { until } from "../kit/daemon.ts";
import { aMigratedUrl } from "../kit/postgres/daemon-place.ts";
import { aPostgres, tcpUrl } from "../kit/postgres/database.ts";
import { findPrograms } from "../kit/postgres/programs.ts";
import {
  agentRows,
  aServer,
  isAlive,
  rowsOf,
  running,
  SETTINGS,
  startAgain,
} from "../kit/postgres/servers.ts";
import { aSharedRepository, runIsolated, workspaceRows } from "../kit/postgres/worktrees.ts";

const run = promisify(execFile);
const POLLS_MS = 2_500;
const SHORT_LEASE_MS = 1_500;
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** The numbers of transactions in a dump of a cluster that is far ahead, or not. */
const DUMPED = { ahead: "(1::numeric * 2 ^ 40 + seq)::text::xid8", behind: "'3'::xid8" };

async function aStoreOn(url: string, over: Partial<OpenPostgresStore> = {}) {
  const store = await openPostgresStore({ url, ...over });
  onTestFinished(() => store.close());
  const seen: string[] = [];
  store.subscribe((event) => {
    if (event.type === "agent:result_reported") seen.push(event.data.summary);
  });
  const append = (summary: string) => store.transaction((unit) => unit.emit(anEvent({ summary })));
  return { store, seen, append };
}

/** Makes rows look as if a dump of another cluster had been restored. */
async function restore(url: string, xid: string): Promise<void> {
  await rowsOf(url, `update events set xid = ${xid}`);
  await rowsOf(url, "update database_stamps set xid = '3'");
}

/** A database with events that look as if a dump of another cluster had been restored. */
async function aRestoredUrl(xid: string): Promise<string> {
  const url = await aMigratedUrl();
  const before = await openPostgresStore({ url });
  await before.transaction(async (unit) => {
    for (const summary of ["old 1", "old 2"]) await unit.emit(anEvent({ summary }));
  });
  await before.close();
  await restore(url, xid);
  return url;
}

test.each(Object.entries(DUMPED))(
  "after a restore of a dump whose transactions are %s, several servers deliver new events once and old ones never",
  async (_, xid) => {
    const url = await aRestoredUrl(xid);
    const [a, b] = await Promise.all([aStoreOn(url), aStoreOn(url)]);

    await a.append("new 1");
    await sleep(POLLS_MS);
    await b.append("new 2");

    for (const { seen } of [a, b]) {
      await expect.poll(() => seen).toEqual(["new 1", "new 2"]);
    }
    expect(await rowsOf(url, "select settled_at from restores")).toEqual([{ settled_at: null }]);
  },
);

test("a restore is settled once by one of several servers, and again only if that failed", async () => {
  const url = await aRestoredUrl(DUMPED.ahead);
  await aStoreOn(url);
  const connect = { url, name: "test" };
  let works = 0;
  const work = async () => {
    works++;
    await sleep(300);
    if (works === 1) throw new Error("The server died.");
  };

  await expect(settleRestore(connect, work)).rejects.toThrow("The server died.");
  await Promise.all([1, 2, 3].map(() => settleRestore(connect, work)));
  await settleRestore(connect, work);

  expect(works).toBe(2);
});

test("a database that was not restored is not taken for one, also after a restart of its servers and a vacuum", async () => {
  const url = await aMigratedUrl();
  const { append } = await aStoreOn(url);
  await append("one");
  await rowsOf(url, "vacuum (full, freeze) events");
  await aStoreOn(url);

  expect(await rowsOf(url, "select 1 from restores")).toEqual([]);
});

/** Gives every row of the table another transaction, as pg_repack and some ALTER TABLE do. */
const rewrite = (url: string, table: string) =>
  rowsOf(url, `alter table ${table} add column wish text default gen_random_uuid()::text`);

const SERVER = { host: "h", pid: 1, version: "1", url: null, configHash: "1" };

/** A server that extends its lease until the test ends, or only once. */
async function aBeatingServer(url: string, { isAlive: beats }: { readonly isAlive: boolean }) {
  const servers = openServers({ url, id: "srv-living" });
  await servers.join(SERVER);
  const timer = setInterval(() => void (beats && servers.beat()), SHORT_LEASE_MS / 3);
  onTestFinished(async () => {
    clearInterval(timer);
    await servers.close();
  });
  return servers;
}

test("a rewritten table of events is not taken for a restore, and its events are not delivered again", async () => {
  const url = await aMigratedUrl();
  const a = await aStoreOn(url);
  await a.append("one");
  await rewrite(url, "events");
  await aStoreOn(url);
  const b = await aStoreOn(url);
  await a.append("two");

  await expect.poll(() => b.seen).toEqual(["two"]);
  expect(a.seen).toEqual(["one", "two"]);
  expect(await rowsOf(url, "select 1 from restores")).toEqual([]);
});

test("events that were rewritten before this version are not taken for a restore while another server runs", async () => {
  const url = await aMigratedUrl();
  const a = await aStoreOn(url);
  await a.append("one");
  await rewrite(url, "events");
  await rowsOf(url, "delete from database_stamps");
  await aBeatingServer(url, { isAlive: true });
  const lines: string[] = [];
  const log = { ...SILENT, warn: (line: string) => void lines.push(line) };

  for (const _ of [1, 2]) await aStoreOn(url, { leaseMs: SHORT_LEASE_MS, log });

  expect(lines).toEqual([expect.stringContaining("were rewritten")]);
  expect(a.seen).toEqual(["one"]);
  expect(await rowsOf(url, "select 1 from restores")).toEqual([]);
});

test("a store on a dump that was restored under a running server is refused until that server has stopped", async () => {
  const url = await aRestoredUrl(DUMPED.ahead);
  const living = await aBeatingServer(url, { isAlive: true });

  await expect(openPostgresStore({ url, leaseMs: SHORT_LEASE_MS })).rejects.toMatchObject({
    code: "STORE_NOT_SUPPORTED",
    message: expect.stringContaining("srv-living"),
    hint: expect.stringContaining("kuromajutsu stop --stop-agents"),
  });
  expect(await rowsOf(url, "select 1 from restores")).toEqual([]);
  expect(await rowsOf(url, `select 1 from events where xid <> ${DUMPED.ahead}`)).toEqual([]);

  await living.leave(60_000);
  await aStoreOn(url, { leaseMs: SHORT_LEASE_MS });
  expect(await rowsOf(url, "select 1 from restores")).toHaveLength(1);
});

test("a server that was seen right before the dump, and does not run, does not hide the restore", async () => {
  const url = await aRestoredUrl(DUMPED.ahead);
  await aBeatingServer(url, { isAlive: false });

  await aStoreOn(url, { leaseMs: SHORT_LEASE_MS });

  expect(await rowsOf(url, "select 1 from restores")).toHaveLength(1);
});

test("agents of a dump that still run where the first server starts are ended before their changes are captured", async () => {
  const url = await aMigratedUrl();
  const a = await aServer(url);
  const repository = aSharedRepository();
  const hang = { prompt: "#rehearsal write new.txt hello\n#rehearsal hang" };
  const isolated = await runIsolated(a, repository, hang, hang);
  const { agentIds: plain } = await running(a, [{ prompt: "#rehearsal hang" }]);
  const agentIds = [...isolated, ...plain];
  await until(async () => (await statuses(url)).every((status) => status === "running"));
  await until(async () =>
    (await workspaceRows(url)).every(({ path }) => existsSync(join(path, "new.txt"))),
  );
  await a.daemon.kill("SIGTERM");
  await restore(url, DUMPED.ahead);
  // The dump was made while these were being started.
  const starting = [isolated[1], ...plain].map((id) => `'${id}'`).join();
  await rowsOf(
    url,
    `update agents set status = 'queued', process = 'starting', pid = null, pid_start = null, boot_id = null, started_at = null where id in (${starting})`,
  );
  expect(agentIds.map(isAlive)).toEqual([true, true, true]);

  await startAgain(a.place);

  await until(async () => (await agentRows(url)).every(({ process }) => process === "ended"));
  expect(agentIds.map(isAlive)).toEqual([false, false, false]);
  expect(await statuses(url)).toEqual(["cancelled", "cancelled", "lost"]);
  expect((await workspaceRows(url))[0]).toMatchObject({ status: "captured", version: 1 });
});

async function statuses(url: string): Promise<readonly string[]> {
  return (await agentRows(url)).map(({ status }) => status).toSorted();
}

const programs = findPrograms();
const hasDump =
  "bin" in programs &&
  ["pg_dump", "pg_restore"].every((name) => existsSync(join(programs.bin, name)));

test.runIf(hasDump)(
  "servers on a restored dump start none of its waiting agents, show none as running, and say so once in the audit",
  async () => {
    if (!("bin" in programs)) return;
    const [old, fresh] = await Promise.all([aPostgres(), aPostgres()]);
    await migratePostgres(old.url);
    // The old cluster is ahead of the new one.
    await rowsOf(
      old.url,
      "do $$ begin for i in 1..20000 loop perform pg_current_xact_id(); commit; end loop; end $$",
    );
    const a = await aServer(tcpUrl(old.url), {
      ...SETTINGS,
      agent: { ...SETTINGS.agent, maxConcurrent: 1 },
    });
    const { groupId } = await running(a, [{ prompt: "#rehearsal hang" }]);
    await runAll(a.main, groupId, [{ prompt: "#rehearsal hang" }]);
    await until(async () => (await agentRows(old.url)).length === 2);
    const dump = join(a.place.dir, "kuro.dump");
    await run(join(programs.bin, "pg_dump"), [
      "--format=custom",
      `--file=${dump}`,
      tcpUrl(old.url),
    ]);
    await run(join(programs.bin, "pg_restore"), [`--dbname=${tcpUrl(fresh.url)}`, dump]);

    // Without the time of a lease in which the server of the dump might show that it runs.
    await rowsOf(fresh.url, "update servers set seen = seen - interval '1 hour'");

    const servers = await Promise.all([aServer(tcpUrl(fresh.url)), aServer(tcpUrl(fresh.url))]);

    await sleep(POLLS_MS);
    expect(await statuses(fresh.url)).toEqual(["cancelled", "lost"]);
    expect(await statuses(old.url)).toEqual(["queued", "running"]);
    const restored = "select 1 from audit where action = 'data.restored'";
    expect(await rowsOf(fresh.url, restored)).toHaveLength(1);
    expect(servers.map(({ daemon }) => daemon.process.exitCode)).toEqual([null, null]);
  },
);
