import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import { anEvent } from "../../../../../test/contract/store/kit.ts";
import { aNotification } from "../../../../../test/contract/store/notifications.ts";
import { aGroup, anAgent, aTask, NOON } from "../../../../../test/kit/builders.ts";
import { aTempDir } from "../../../../../test/kit/tmp-dir.ts";
import { groupsAndAgents } from "../migrations/0001-groups-and-agents.ts";
import { fleet } from "../migrations/0002-fleet.ts";
import { MIGRATIONS } from "../migrations/migrations.ts";
import { openSqliteStore } from "../sqlite-store.ts";

const NEXT = {
  up: async (db: Kysely<unknown>) => {
    await sql`create table colours (id text)`.execute(db);
    await sql`alter table groups add column colour text`.execute(db);
  },
};
const BREAKS_HALF_WAY = {
  up: async (db: Kysely<unknown>) => {
    await sql`drop table events`.execute(db);
    await sql`update groups set description = 'half'`.execute(db);
    await sql`insert into nowhere values (1)`.execute(db);
  },
};

test("opening a migrated database again migrates nothing", async () => {
  const path = join(aTempDir(), "a.db");
  const said: unknown[] = [];
  const info = (_: string, fields?: unknown) => said.push(fields);
  const log = { debug: info, info, warn: info, error: info };

  await (await openSqliteStore({ path, log })).close();
  await (await openSqliteStore({ path, log })).close();

  const migrations = Object.keys(MIGRATIONS);
  expect(said).toEqual([{ path, migrations: migrations.length }, { migrations }]);
});

test("a newer version migrates an old database and keeps its rows", async () => {
  const path = await aDatabaseWithAGroup();

  const store = await openSqliteStore({ path, migrations: { ...MIGRATIONS, "9998-next": NEXT } });

  expect(await store.getGroup(aGroup().id)).toEqual(aGroup());
  await store.close();
  expect(schemaOf(path)).toContain("colours");
});

test("the rows of a database of the first version work like new ones after the migration", async () => {
  const path = join(aTempDir(), "a.db");
  await aDatabaseOfTheFirstVersion(path);

  const store = await openSqliteStore({ path });

  expect(await store.getGroup("grp-1")).toEqual(aGroup({ id: "grp-1" }));
  const waiting = anAgent({ id: "a-1-x", groupId: "grp-1" });
  expect(await store.listWaitingAgents("worker", 10, [])).toEqual([waiting]);
  const groups = async () => (await store.listGroups({ view: "all-in-view", limit: 10 })).groups;
  expect((await groups()).map(({ id }) => id)).toEqual(["grp-2", "grp-1"]);
  const inView = await store.listAgentsInView(10);
  expect(inView.map(({ agent }) => agent.id)).toEqual(["a-2-x", "a-1-x"]);
  const { entries } = await store.listHistory({ limit: 10 });
  expect(entries).toMatchObject([{ agent: { id: "a-2-x" }, result: { summary: "Done." } }]);
  await store.transaction(async (unit) => {
    expect(await unit.shrinkView(0)).toEqual({ agents: ["a-2-x"], groups: ["grp-2"] });
    await unit.insertGroup(aGroup({ id: "grp-3" }));
    expect(await unit.purgeHistory(NOON + 1, 10)).toEqual(["a-2-x"]);
  });
  expect((await groups()).map(({ id }) => id)).toEqual(["grp-3", "grp-1"]);
  expect((await store.listAgents({ limit: 10 })).total).toBe(1);
  await store.close();
});

test("no row of a database of the second version belongs to a task after the migration", async () => {
  const path = join(aTempDir(), "a.db");
  await aDatabaseOfTheSecondVersion(path);

  const store = await openSqliteStore({ path });

  const waiting = anAgent({ id: "a-1-x", groupId: "grp-1", slot: "orchestrator", version: 7 });
  expect(await store.listWaitingAgents("orchestrator", 10, [])).toEqual([waiting]);
  const told = aNotification({ agentId: "a-1-x" });
  expect(await store.listOpenNotifications("a-1-x")).toEqual([told]);
  expect(await store.listStopNotifications("a-1-x")).toEqual([]);
  const happened = { seq: 1, type: "old", groupId: null, agentId: waiting.id, data: {}, at: NOON };
  expect(await store.listEvents(0, 10)).toEqual([happened]);
  const task = aTask({ groupId: "grp-1" });
  await store.transaction(async (unit) => {
    await unit.insertTask(task);
    await unit.updateAgent({ ...waiting, taskId: task.id }, waiting);
    await unit.emit({ ...anEvent(), taskId: task.id });
    await unit.updateNotification({ ...told, type: "blocked", taskId: task.id }, told);
  });
  expect(await store.listTaskAgents(task.id)).toMatchObject([{ id: "a-1-x", version: 8 }]);
  expect(await store.listTaskEvents(task.id, 0, 10)).toMatchObject([{ seq: 2 }]);
  expect(await store.listStopNotifications("a-1-x")).toMatchObject([{ id: told.id }]);
  await store.close();
});

test("notifications of ended agents that an earlier version left open are cleared", async () => {
  const path = join(aTempDir(), "a.db");
  await aDatabaseOfTheSecondVersion(path);
  const { role, model } = anAgent();
  const database = new DatabaseSync(path);
  for (const [id, status] of [
    ["a-2-x", "cancelled"],
    ["a-3-x", "resultReported"],
  ]) {
    database.exec(`
      insert into agents (id, group_id, role, runner, model, status, process, working_directory,
          access, priority, client_keys, attempt, created_at, ended_at, version) values
        ('${id}', 'grp-1', '${role}', 'rehearsal', '${model}', '${status}', 'ended', '/',
          'read-write', 0, '[]', 1, ${NOON}, ${NOON}, 1);
      insert into notifications (id, agent_id, type, status, text, sender, created_at, version)
        values ('ntf-open-${id}', '${id}', 'message', 'announced', '', '', ${NOON}, 1),
          ('ntf-read-${id}', '${id}', 'message', 'read', '', '', ${NOON}, 1),
          ('ntf-stop-${id}', '${id}', 'blocked', 'read', '', '', ${NOON}, 1);`);
  }
  database.close();

  const store = await openSqliteStore({ path });

  const seen = async (id: string) =>
    (await store.listNotifications(id, 10)).map((each) => [each.status, each.clearReason]);
  const read = ["read", null];
  expect(await seen("a-1-x")).toEqual([["pending", null]]);
  expect(await seen("a-2-x")).toEqual([["cleared", "ended"], read, ["cleared", "ended"]]);
  expect(await seen("a-3-x")).toEqual([["cleared", "reported"], read, ["cleared", "reported"]]);
  await store.close();
});

test("usage that an earlier version added up is kept, without a reported model or cost", async () => {
  const path = join(aTempDir(), "a.db");
  await aDatabaseOfTheSecondVersion(path);
  const database = new DatabaseSync(path);
  database.exec(`
    insert into usage_daily values ('2026-11-15', 'cursor', 'm', 'research', 2, 10, 20, 30, 40)`);
  database.close();

  const store = await openSqliteStore({ path });

  expect(await store.listUsage("2026-11-15", "2026-11-15")).toEqual([
    {
      day: "2026-11-15",
      runner: "cursor",
      model: "m",
      role: "research",
      reportedModel: null,
      costUsd: null,
      agents: 2,
      inputTokens: 10,
      outputTokens: 20,
      cacheReadTokens: 30,
      cacheWriteTokens: 40,
    },
  ]);
  await store.close();
});

test("an agent that an earlier version started counts as connected, a queued one does not", async () => {
  const path = join(aTempDir(), "a.db");
  await aDatabaseOfTheSecondVersion(path);
  const database = new DatabaseSync(path);
  database.exec(`
    insert into agents (id, group_id, role, runner, model, status, process, working_directory,
        access, priority, client_keys, attempt, created_at, started_at, version) values
      ('a-2-x', 'grp-1', 'r', 'cursor', 'm', 'running', 'alive', '/', 'read-only', 0, '[]', 1,
        ${NOON}, ${NOON + 5}, 1)`);
  database.close();

  const store = await openSqliteStore({ path });

  expect(await store.getAgent("a-2-x")).toMatchObject({ helloAt: NOON + 5, degraded: null });
  expect(await store.getAgent("a-1-x")).toMatchObject({ helloAt: null });
  await store.close();
});

test("a failed migration is rolled back, and the old database can still be opened", async () => {
  const path = await aDatabaseWithAGroup();
  const before = schemaOf(path);

  const attempt = openSqliteStore({
    path,
    migrations: { ...MIGRATIONS, "9998-next": NEXT, "9999-breaks": BREAKS_HALF_WAY },
  });

  await expect(attempt).rejects.toThrow("nowhere");
  expect(schemaOf(path)).toEqual(before);
  const store = await openSqliteStore({ path });
  expect(await store.getGroup(aGroup().id)).toEqual(aGroup());
  await store.close();
});

test("a failure of the first migration leaves an empty database", async () => {
  const path = join(aTempDir(), "a.db");

  const attempt = openSqliteStore({
    path,
    migrations: { ...MIGRATIONS, "9999-breaks": BREAKS_HALF_WAY },
  });

  await expect(attempt).rejects.toThrow("nowhere");
  expect(schemaOf(path)).toEqual([]);
});

test("a database of a newer version is refused with advice", async () => {
  const path = await aDatabaseWithAGroup();
  const newer = await openSqliteStore({ path, migrations: { ...MIGRATIONS, "9998-next": NEXT } });
  await newer.close();
  const before = schemaOf(path);

  const attempt = openSqliteStore({ path });

  await expect(attempt).rejects.toThrow(/newer Kuromajutsu \(it has 9998-next\).*Update/);
  await expect(attempt).rejects.toThrow(path);
  expect(schemaOf(path)).toEqual(before);
});

/** Two groups, one deleted, each with an agent; written as the first version wrote them. */
async function aDatabaseOfTheFirstVersion(path: string): Promise<void> {
  const first = await openSqliteStore({
    path,
    migrations: { "0001-groups-and-agents": groupsAndAgents },
  });
  await first.close();
  const { description, role, model, workingDirectory } = { ...aGroup(), ...anAgent() };
  const group = `'${description}', 'concurrent'`;
  const agent = `'${role}', 'rehearsal', '${model}'`;
  const rest = `'${workingDirectory}', 'read-write', 0, '[]', 0, ${NOON}`;
  const database = new DatabaseSync(path);
  database.exec(`
    insert into groups (id, description, mode, status, created_at, deleted_at, version) values
      ('grp-1', ${group}, 'active', ${NOON}, null, 1),
      ('grp-2', ${group}, 'deleted', ${NOON}, ${NOON}, 2);
    insert into agents (id, group_id, role, runner, model, status, process, working_directory,
        access, priority, client_keys, attempt, created_at, ended_at, version) values
      ('a-1-x', 'grp-1', ${agent}, 'queued', 'waiting', ${rest}, null, 1),
      ('a-2-x', 'grp-2', ${agent}, 'completed', 'ended', ${rest}, ${NOON}, 3);
    insert into agent_prompts values ('a-1-x', 'one'), ('a-2-x', 'two');
    insert into agent_results values ('a-2-x', null, '{"summary":"Done."}');`);
  database.close();
}

/** An agent with a notification and an event; written as the second version wrote them. */
async function aDatabaseOfTheSecondVersion(path: string): Promise<void> {
  const second = await openSqliteStore({
    path,
    migrations: { "0001-groups-and-agents": groupsAndAgents, "0002-fleet": fleet },
  });
  await second.close();
  const { role, model } = anAgent();
  const { id, text, from } = aNotification();
  const database = new DatabaseSync(path);
  database.exec(`
    insert into groups (seq, id, description, mode, status, created_at, version) values
      (1, 'grp-1', 'old', 'concurrent', 'active', ${NOON}, 1);
    insert into agents (id, group_id, role, runner, model, status, process, working_directory,
        access, priority, slot, client_keys, attempt, created_at, version) values
      ('a-1-x', 'grp-1', '${role}', 'rehearsal', '${model}', 'queued', 'waiting', '/',
        'read-write', 0, 'orchestrator', '[]', 0, ${NOON}, 7);
    insert into agent_prompts values ('a-1-x', 'one');
    insert into notifications (id, agent_id, type, status, text, sender, created_at, version) values
      ('${id}', 'a-1-x', 'message', 'pending', '${text}', '${from}', ${NOON}, 1);
    insert into events (type, agent_id, data, at) values ('old', 'a-1-x', '{}', ${NOON});`);
  database.close();
}

async function aDatabaseWithAGroup(): Promise<string> {
  const path = join(aTempDir(), "a.db");
  const store = await openSqliteStore({ path });
  await store.transaction((unit) => unit.insertGroup(aGroup()));
  await store.close();
  return path;
}

function schemaOf(path: string): unknown[] {
  const database = new DatabaseSync(path);
  const names = database.prepare("select name, sql from sqlite_master order by name").all();
  database.close();
  return names.flatMap((row) => [row["name"], row["sql"]]);
}
