import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import {
  COPIED_TABLES,
  LEFT_TABLES,
} from "../../src/adapters/store/postgres/move/copied-tables.ts";
import { aGroup, runAll, waitForAll } from "../kit/agents.ts";
import { aDaemon, anHttpClient, aPlace, command, run, until, type Place } from "../kit/daemon.ts";
import { aMigratedUrl, aPlaceOn } from "../kit/postgres/daemon-place.ts";
import { aDatabase, tcpUrl } from "../kit/postgres/database.ts";
import { processesWith } from "../kit/processes.ts";
import { HAS_ALL_ROUNDS, rounds } from "../kit/rounds.ts";
import { aRequest, aStory, LONG_MS, type Story } from "../kit/story.ts";
import { sharedByTests } from "../kit/when-done.ts";

vi.setConfig({ testTimeout: LONG_MS });

const SOON = { agent: { runner: "rehearsal", lingerAfterEnd_ms: 300, hardKillAfter_ms: 300 } };
/** With its partitions. SQLite has none: transcripts are in the spool, which is copied. */
const isTranscripts = (name: string): boolean => name.startsWith("transcript_chunks");
const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

/** A SQLite installation with a finished task, agents with transcripts, and a waiting approval. */
const theInstallation = sharedByTests(async () => {
  const place = aPlace({ LANG: "en_US.UTF-8" });
  const story = await aStory(SOON, { place });
  const client = await anHttpClient(story.url());
  const ids = await runAll(client, await aGroup(client), [{ prompt: "一" }, { prompt: "二" }]);
  await waitForAll(client, ids);
  const taskId = await story.start(aRequest());
  await story.reach(taskId, ({ status }) => status === "completed");
  const waiting = await story.create("承認を待つ");
  await story.pending(waiting, "prompt");
  // A killed daemon leaves a write-ahead log, which belongs to the data.
  await story.end("SIGKILL");
  const runtime = place.env["XDG_RUNTIME_DIR"];
  await until(() => processesWith(`KUROMAJUTSU_SOCKET=${runtime}`).length === 0);
  return { place, ids, taskId, waiting };
});

/** A copy of it. */
async function anInstallation() {
  const { place: made, ...rest } = await theInstallation();
  const place = aPlace({ LANG: "en_US.UTF-8" });
  cpSync(made.dataDir, place.dataDir, { recursive: true });
  return { place, ...rest };
}

/** The hash of every file but the lock, which belongs to the process that holds it. */
function fingerprint(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => !path.startsWith("lock.db") && statSync(join(folder, path)).isFile())
    .toSorted();
  return Object.fromEntries(
    files.map((path) => [
      path,
      createHash("sha256")
        .update(readFileSync(join(folder, path)))
        .digest("hex"),
    ]),
  );
}

async function query(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

/** A daemon at this place, after a move. */
function resumed(place: Place): Promise<Story> {
  return aStory(SOON, { place });
}

test("every table of PostgreSQL is copied by migrate --from, or is listed as not copied", async () => {
  const rows = await query(
    await aMigratedUrl(),
    "select tablename from pg_tables where schemaname = current_schema()",
  );
  const there = rows.map(({ tablename }) => String(tablename));

  /** SQLite has no rows of these: a daemon that is alone keeps them in memory or has none. */
  const ofServers = [
    "migrations",
    "servers",
    "workers",
    "mcp_sessions",
    "wrong_tokens",
    "upstream_owners",
    "leader",
    "restores",
    "database_stamps",
  ];

  expect(
    there.filter((name) => !ofServers.includes(name) && !isTranscripts(name)).toSorted(),
  ).toEqual(
    [...COPIED_TABLES, ...LEFT_TABLES]
      .filter((name) => name !== "agent_counts" && name !== "task_counts")
      .toSorted(),
  );
});

test("migrate --from moves a SQLite installation, which stays as it is, to PostgreSQL", async () => {
  const { place: old, ids, taskId, waiting } = await anInstallation();
  const database = new DatabaseSync(join(old.dataDir, "kuromajutsu.db"));
  database
    .prepare("update agent_results set result = ? where agent_id = ?")
    .run(JSON.stringify("x").replace("x", "a\0b"), ids[0] ?? "");
  database.close();
  const before = fingerprint(old.dataDir);
  const url = tcpUrl(await aDatabase());
  const place = aPlaceOn(url);

  const moved = await command(place, ["migrate", "--from", old.dataDir]);

  expect(moved).toMatchObject({ code: 0 });
  expect(inOneLine(moved.stdout)).toMatch(
    /Moved \d+ rows of .* The audit is whole \(\d+ entries\)/,
  );
  expect(inOneLine(moved.stdout)).toContain("U+FFFD in these texts: agent_results 1");
  expect(fingerprint(old.dataDir)).toEqual(before);
  const again = await command(place, ["migrate", "--from", old.dataDir]);
  expect(again.code).toBe(1);
  expect(inOneLine(again.stderr)).toContain("already has other data");

  const story = await resumed(place);
  expect(await story.look(taskId)).toMatchObject({ status: "completed" });
  // The approval still waits, and new rows get new numbers.
  await story.decide(await story.pending(waiting, "prompt"));
  const verified = await command(place, ["audit", "verify", "--json"]);
  expect(JSON.parse(verified.stdout)).toMatchObject({
    ok: true,
    anchoredUntil: expect.any(Number),
  });
  const transcript = await story.ask("GET", `/api/agents/${ids[1]}/transcript`);
  expect(transcript.status).toBe(200);
  expect(JSON.stringify(transcript.body)).toContain("二");
  const fresh = await story.create("新しい");
  await story.pending(fresh, "prompt");
});

test.runIf(HAS_ALL_ROUNDS)(
  "migrate --from moves to PostgreSQL within the same data directory, with the templates that were saved there",
  async () => {
    const { place: old, taskId } = await anInstallation();
    writeFileSync(join(old.dir, "kuromajutsu.config.yaml"), JSON.stringify(SOON));
    const daemon = await aDaemon(old);
    const saved = await command(old, ["template", "save", taskId, "--id", "saved-before"]);
    expect(saved).toMatchObject({ code: 0 });
    await daemon.kill("SIGTERM");
    const folder = dirname(/: (\/.*saved-before\.yaml)/.exec(saved.stdout)?.[1] ?? "");
    const byHand = "id: by-hand\nkind: task\nname: n\ndescription: d\nrequest: r\n";
    writeFileSync(join(folder, "by-hand.yaml"), byHand);
    const url = tcpUrl(await aDatabase());
    const place = { ...old, env: { ...old.env, KUROMAJUTSU_DATABASE_URL: url } };

    const moved = await command(place, ["migrate", "--from", old.dataDir]);

    expect(moved).toMatchObject({ code: 0, stdout: expect.stringContaining("every server: 1") });
    const story = await resumed(place);
    expect(await story.look(taskId)).toMatchObject({ status: "completed" });
    const { body } = await story.ask("GET", "/api/templates");
    expect(body).toMatchObject({
      templates: expect.arrayContaining([
        expect.objectContaining({ id: "saved-before", source: "saved" }),
        expect.objectContaining({ id: "by-hand", source: "folder" }),
      ]),
      // The file with the same template is no problem.
      problems: [],
    });
  },
);

test("migrate --from refuses a running daemon, a directory without data, and SQLite as the target", async () => {
  const busy = aPlace({ LANG: "en_US.UTF-8" });
  await aDaemon(busy);
  const place = aPlaceOn(tcpUrl(await aDatabase()));
  const sqlite = aPlace({ LANG: "en_US.UTF-8" });

  const running = await command(place, ["migrate", "--from", busy.dataDir]);
  const empty = await command(place, ["migrate", "--from", place.dir]);
  const nowhere = await command(sqlite, ["migrate", "--from", busy.dataDir]);

  expect(inOneLine(running.stderr)).toContain("A daemon or another migrate uses");
  expect(inOneLine(empty.stderr)).toContain("has no database of SQLite");
  expect(inOneLine(nowhere.stderr)).toContain("There is no database to move to");
  expect([running, empty, nowhere].map(({ code }) => code)).toEqual([1, 1, 1]);
});

/** Runs `migrate --from` until it inserts into the table, and kills it there. */
async function killAt(place: Place, url: string, from: string, table: string, when = "true") {
  await query(
    url,
    `create or replace function hold() returns trigger language plpgsql as
      $$ begin perform pg_sleep(60); return new; end $$`,
  );
  await query(
    url,
    `create trigger held before insert on ${table} for each row when (${when}) execute function hold()`,
  );
  const child = run(place, ["migrate", "--from", from]);
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const sleeping =
    "select pid from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
  await until(async () => (await query(url, sleeping)).length > 0);
  child.kill("SIGKILL");
  await ended;
  // PostgreSQL notices a client that is gone only after the statement.
  await query(url, `select pg_terminate_backend(pid) from (${sleeping}) as held`);
  await until(async () => (await query(url, sleeping)).length === 0);
  await query(url, `drop trigger held on ${table}`);
}

test.runIf(HAS_ALL_ROUNDS)(
  "migrate --from that was killed leaves an empty database, or all rows and agents to settle",
  async () => {
    const { place: old, taskId } = await anInstallation();
    const url = await aMigratedUrl();
    const place = aPlaceOn(url);
    const all = COPIED_TABLES.map((table) => `select count(*) from ${table}`).join(" union all ");

    for (const table of ["groups", "agents", "audit"]) {
      await killAt(place, url, old.dataDir, table);
      expect(await query(url, `select sum(count)::int as n from (${all}) as counts`)).toEqual([
        { n: 0 },
      ]);
    }
    await killAt(place, url, old.dataDir, "audit", "new.action = 'data.restored'");
    expect(await query(url, "select count(*)::int as n from tasks")).toEqual([{ n: 2 }]);
    expect(existsSync(join(place.dataDir, "moved.json"))).toBe(true);

    expect(await command(place, ["migrate", "--from", old.dataDir])).toMatchObject({ code: 0 });
    expect(existsSync(join(place.dataDir, "moved.json"))).toBe(false);
    const story = await resumed(place);
    expect(await story.look(taskId)).toMatchObject({ status: "completed" });
  },
);

const KILLS = rounds({ all: 30, few: 3 });

test(`migrate --from that was killed ${KILLS} times at any moment is repeated until it is done`, async () => {
  const { place: old, taskId } = await anInstallation();
  const before = fingerprint(old.dataDir);
  expect(before).toHaveProperty(["kuromajutsu.db-wal"]);
  const url = await aMigratedUrl();
  const place = aPlaceOn(url);
  const entries = z.coerce.number();

  for (let round = 0; round < KILLS; round += 1) {
    const child = run(place, ["migrate", "--from", old.dataDir]);
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    await Promise.race([sleep(200 + (round / KILLS) * 1_200), ended]);
    child.kill("SIGKILL");
    await ended;
    const [counted] = await query(url, "select count(*) as n from tasks");
    // All or nothing.
    expect([0, 2]).toContain(entries.parse(counted?.["n"]));
  }
  const last = await command(place, ["migrate", "--from", old.dataDir]);

  // A call that was killed after it had settled everything leaves nothing to do.
  expect(last.code === 0 || inOneLine(last.stderr).includes("other data")).toBe(true);
  expect(fingerprint(old.dataDir)).toEqual(before);
  const story = await resumed(place);
  expect(await story.look(taskId)).toMatchObject({ status: "completed" });
  expect(JSON.parse((await command(place, ["audit", "verify", "--json"])).stdout)).toMatchObject({
    ok: true,
  });
  expect(readdirSync(place.dataDir).filter((name) => name.startsWith(".moving-"))).toEqual([]);
  expect(existsSync(join(place.dataDir, "moved.json"))).toBe(false);
});

test("agents that waited in the source are not started again after the move", async () => {
  const source = aPlace({ LANG: "en_US.UTF-8" });
  const story = await aStory(
    { ...SOON, agent: { ...SOON.agent, maxConcurrent: 1 } },
    { place: source },
  );
  const client = await anHttpClient(story.url());
  const [live = "", queued = ""] = await runAll(client, await aGroup(client), [
    { prompt: "#rehearsal hang" },
    { prompt: "後で" },
  ]);
  await until(
    async () => (await client.call("get_agent_status", { agentId: live }))["status"] === "running",
  );
  // The files as a crashed machine leaves them: the rows say that agents run, and no process does.
  const crashed = join(source.dir, "crashed");
  await story.end("SIGKILL");
  cpSync(source.dataDir, crashed, { recursive: true });
  const place = aPlaceOn(tcpUrl(await aDatabase()));

  const refused = await command(place, ["migrate", "--from", crashed]);
  expect(inOneLine(refused.stderr)).toContain("1 agent of");
  await aStory(SOON, { place: source });
  await command(source, ["stop", "--stop-agents"]);
  const moved = await command(place, ["migrate", "--from", crashed]);

  expect(moved).toMatchObject({ code: 0 });
  const after = await anHttpClient((await resumed(place)).url());
  expect(await after.call("get_agent_status", { agentId: queued })).toMatchObject({
    status: "cancelled",
  });
  expect(await after.call("get_agent_status", { agentId: live })).not.toMatchObject({
    status: "running",
  });
});
