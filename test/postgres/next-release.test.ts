import { expect, onTestFinished, test } from "vitest";
import {
  JOBS_SCHEMA,
  JOBS_SCHEMA_VERSION,
  jobsMigration,
} from "../../src/adapters/jobs/pg-boss/queues.ts";
import { migratePostgres, SCHEMA_RELEASE } from "../../src/adapters/store/postgres/migrate.ts";
import { openPostgresStore } from "../../src/adapters/store/postgres/postgres-store.ts";
import { running, settle } from "../contract/jobs-contract.ts";
import { aGroup, runAll, waitForAll } from "../kit/agents.ts";
import { command } from "../kit/daemon.ts";
import { aMigratedUrl, aPlaceOn } from "../kit/postgres/daemon-place.ts";
import { aConnection, aServer, rowsOf } from "../kit/postgres/servers.ts";
import { HAS_ALL_ROUNDS } from "../kit/rounds.ts";

const NEXT_JOBS = JOBS_SCHEMA_VERSION + 1;

/** What a later release might do to the tables and to those of the jobs. */
async function upgrade(
  url: string,
  { release, oldest }: { readonly release: number; readonly oldest: number | null },
): Promise<void> {
  const client = await aConnection(url);
  const record = "insert into migrations (name, release, oldest) values ($1, $2, $3)";
  await client.query("begin");
  await client.query("create table wishes (id text primary key, wish text not null)");
  await client.query("alter table agents add column wish text");
  await client.query("alter table events add column wish text not null default 'none'");
  await client.query(`alter table ${JOBS_SCHEMA}.job add column wish text`);
  await client.query(`alter table ${JOBS_SCHEMA}.queue add column wish text`);
  await client.query(`update ${JOBS_SCHEMA}.version set version = ${NEXT_JOBS}`);
  await client.query(record, ["0999-wishes", release, null]);
  await client.query(record, [jobsMigration(NEXT_JOBS), release, oldest]);
  await client.query("commit");
}

const NEXT = { release: SCHEMA_RELEASE + 1, oldest: SCHEMA_RELEASE };

async function aStoreOn(url: string) {
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  const { jobs } = store;
  if (!jobs) throw new Error("The store has no jobs.");
  return { store, jobs };
}

const openJobs = (url: string) =>
  rowsOf(url, `select id from ${JOBS_SCHEMA}.job where state <> 'completed'`);

test("servers of this release go on, start and do jobs on a database that the next release has upgraded", async () => {
  const url = await aMigratedUrl();
  const before = await aStoreOn(url);
  await upgrade(url, NEXT);
  const after = await aStoreOn(url);
  const seen: string[] = [];
  for (const each of [before, after]) running(each, async ({ id }) => void seen.push(id));

  await settle(before.store, "impl-code-1-a");
  await settle(after.store, "impl-code-1-b");

  await expect.poll(() => seen.toSorted()).toEqual(["impl-code-1-a", "impl-code-1-b"]);
  await expect.poll(() => openJobs(url)).toEqual([]);
  // Nothing is left to do, and nothing of the next release is taken back.
  expect(await migratePostgres(url)).toEqual([]);
  expect(await rowsOf(url, `select version from ${JOBS_SCHEMA}.version`)).toEqual([
    { version: NEXT_JOBS },
  ]);
});

test("a job that a server of this release left behind is done by another one after the upgrade", async () => {
  const url = await aMigratedUrl();
  const dead = await aStoreOn(url);
  await settle(dead.store, "impl-code-1-a");
  await upgrade(url, NEXT);
  const seen: string[] = [];
  running(await aStoreOn(url), async ({ id }) => void seen.push(id));

  await expect.poll(() => seen, { timeout: 20_000 }).toEqual(["impl-code-1-a"]);
  await expect.poll(() => openJobs(url)).toEqual([]);
});

test.each([
  { what: "the release after the next one", release: SCHEMA_RELEASE + 2, oldest: SCHEMA_RELEASE },
  {
    what: "a next release that says that this one cannot go on",
    release: SCHEMA_RELEASE + 1,
    oldest: SCHEMA_RELEASE + 1,
  },
])("a database of $what is refused with a sentence, and nothing is changed", async (upgraded) => {
  const url = await aMigratedUrl();
  await upgrade(url, upgraded);
  const all = `select (select count(*) from migrations) as migrations,
    (select count(*) from ${JOBS_SCHEMA}.queue where wish is null) as queues`;
  const before = await rowsOf(url, all);

  const sentence = /written by a newer Kuromajutsu \(it has .*kuromajutsu_jobs-\d+.*\)/;
  await expect(openPostgresStore({ url })).rejects.toThrow(sentence);
  await expect(migratePostgres(url)).rejects.toThrow(sentence);

  expect(await rowsOf(url, all)).toEqual(before);
});

test("tables of jobs that no release has recorded are refused", async () => {
  const url = await aMigratedUrl();
  await rowsOf(url, `update ${JOBS_SCHEMA}.version set version = ${NEXT_JOBS}`);

  const sentence = "job queues of the database were written by a newer Kuromajutsu";
  await expect(openPostgresStore({ url })).rejects.toThrow(sentence);
  await expect(migratePostgres(url)).rejects.toThrow(sentence);
});

test("a database that was migrated before releases were recorded with it is used as it is", async () => {
  const url = await aMigratedUrl();
  await rowsOf(url, "alter table migrations drop column oldest");
  await rowsOf(url, `delete from migrations where name = '${jobsMigration(JOBS_SCHEMA_VERSION)}'`);

  await aStoreOn(url);
  expect(await migratePostgres(url)).toEqual([]);
  expect(
    await rowsOf(url, `select release, oldest from migrations where name like '${JOBS_SCHEMA}%'`),
  ).toEqual([{ release: SCHEMA_RELEASE, oldest: SCHEMA_RELEASE }]);
});

test.runIf(HAS_ALL_ROUNDS)(
  "a server that runs and one that starts after the upgrade of the next release run agents, and refuse the release after it",
  async () => {
    const url = await aMigratedUrl();
    const before = await aServer(url);
    await upgrade(url, NEXT);
    const after = await aServer(url);

    for (const { main } of [before, after]) {
      const agents = await runAll(main, await aGroup(main), [
        { prompt: "#rehearsal sleep 50" },
        { prompt: "#rehearsal sleep 50" },
      ]);
      expect(await waitForAll(main, agents)).toMatchObject({ pending: [] });
    }
    await expect.poll(() => openJobs(url)).toEqual([]);

    await rowsOf(url, "insert into migrations (name, release) values ('1000-later', 3)");
    const refused = await command(aPlaceOn(url), ["serve"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr.replaceAll(/\s+/g, " ")).toContain(
      "newer Kuromajutsu (it has 1000-later)",
    );
    // Those that run go on.
    const agents = await runAll(before.main, await aGroup(before.main), [
      { prompt: "#rehearsal sleep 50" },
    ]);
    expect(await waitForAll(after.main, agents)).toMatchObject({ pending: [] });
  },
);
