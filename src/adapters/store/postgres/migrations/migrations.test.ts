import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Client } from "pg";
import { expect, test } from "vitest";
import { z } from "zod";
import { aDatabase } from "../../../../../test/kit/postgres/database.ts";
import { aConnection } from "../../../../../test/kit/postgres/servers.ts";
import { migratePostgres } from "../migrate.ts";
import { MIGRATIONS } from "./migrations.ts";

const NAMES = Object.keys(MIGRATIONS).toSorted();
const LATER = NAMES.slice(1);

function firstOnes(count: number): Readonly<Record<string, Migration>> {
  return Object.fromEntries(
    Object.entries(MIGRATIONS).filter(([name]) => NAMES.indexOf(name) < count),
  );
}

const columnShape = z.object({
  name: z.string(),
  table: z.string(),
  type: z.string(),
  is_required: z.boolean(),
  value: z.string().nullable(),
});
const ruleShape = z.object({ name: z.string(), table: z.string() });

/** What old servers rely on: columns, and rules that a row must obey. */
async function schemaOf(client: Client) {
  const columns = await client.query(`
    select attrelid::regclass || '.' || attname as name, attrelid::regclass::text as table,
        format_type(atttypid, atttypmod) || ' ' || attcollation as type,
        attnotnull and attidentity = '' as is_required,
        pg_get_expr(adbin, adrelid) as value
      from pg_attribute join pg_class on pg_class.oid = attrelid
        left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and attnum > 0 and not attisdropped`);
  const rules = await client.query(`
    select conname || ': ' || pg_get_constraintdef(oid) as name, conrelid::regclass::text as table
      from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0
        and contype <> 'n'
    union all
    select pg_get_indexdef(indexrelid), indrelid::regclass::text from pg_index
      join pg_class on pg_class.oid = indrelid
      where relnamespace = 'public'::regnamespace and indisunique
    union all
    select pg_get_triggerdef(pg_trigger.oid), tgrelid::regclass::text from pg_trigger
      where not tgisinternal`);
  return {
    columns: z.array(columnShape).parse(columns.rows),
    rules: z.array(ruleShape).parse(rules.rows),
  };
}

type Schema = Awaited<ReturnType<typeof schemaOf>>;

/** What a server of the version before could no longer do. */
function breaking(before: Schema, after: Schema): readonly string[] {
  const now = new Map(after.columns.map((column) => [column.name, column]));
  const known = new Set(before.columns.map(({ name }) => name));
  const tables = new Set(before.columns.map(({ table }) => table));
  const oldRules = new Set(before.rules.map(({ name }) => name));
  const changed = before.columns.flatMap((old) => {
    const { name, type, is_required, value } = old;
    const same = now.get(name);
    if (!same) return `${name} is gone`;
    if (same.type !== type) return `${name} has another type`;
    if (same.is_required && !is_required) return `${name} is required now`;
    return same.value === value ? [] : `${name} has another default`;
  });
  const added = after.columns
    .filter(({ name, table }) => tables.has(table) && !known.has(name))
    .filter(({ is_required, value }) => is_required && value === null)
    .map(({ name }) => `${name} is required and has no default`);
  const rules = after.rules
    .filter(({ name, table }) => tables.has(table) && !oldRules.has(name))
    // A trigger for some columns refuses less than the same one for all of them.
    .filter(({ name }) => !oldRules.has(name.replace(/ UPDATE OF .* ON /, " UPDATE ON ")))
    .map(({ name }) => `there is a new rule: ${name}`);
  return [...changed, ...added, ...rules];
}

test.each(LATER)(
  "the migration %s only adds, so servers of the version before go on",
  async (name) => {
    const url = await aDatabase();
    await migratePostgres(url, firstOnes(NAMES.indexOf(name)));
    const client = await aConnection(url);
    const before = await schemaOf(client);

    await migratePostgres(url, firstOnes(NAMES.indexOf(name) + 1));

    expect(breaking(before, await schemaOf(client))).toEqual([]);
  },
);

test.each([
  ["alter table agents drop column runner_note", "agents.runner_note is gone"],
  ["alter table agents rename column runner_note to note", "agents.runner_note is gone"],
  ["alter table agents alter column attempt type integer", "agents.attempt has another type"],
  ["alter table agents alter column runner_note set not null", "is required now"],
  ["alter table agents alter column labels drop default", "has another default"],
  ["alter table agents add column more text not null", "is required and has no default"],
  ["create unique index one_role on agents (role)", "a new rule"],
  ["alter table agents add check (attempt < 5)", "a new rule"],
  ["drop table wrong_tokens", "wrong_tokens.address is gone"],
])("a migration that is not additive is noticed: %s", async (statement, problem) => {
  const url = await aDatabase();
  await migratePostgres(url);
  const client = await aConnection(url);
  const before = await schemaOf(client);

  await client.query(statement);

  expect(breaking(before, await schemaOf(client)).join()).toContain(problem);
});

test("what a next version may add is not taken for a break", async () => {
  const url = await aDatabase();
  await migratePostgres(url);
  const client = await aConnection(url);
  const before = await schemaOf(client);

  await client.query("create table more (id text primary key, role text not null unique)");
  await client.query(
    "alter table agents add column more text, add column less int not null default 1",
  );
  await client.query("create index by_more on agents (more)");

  expect(breaking(before, await schemaOf(client))).toEqual([]);
});

/** One row, in the shape of the version before. */
const OLD_ROWS = {
  groups: `insert into groups (id, description, mode, status, created_at, version)
    values ($1, 'd', 'concurrent', 'active', 1, 1)`,
  agents: `insert into agents (id, group_id, role, runner, model, status, process, working_directory,
      access, priority, client_keys, attempt, created_at, version)
    values ($1, $1, 'impl-code', 'rehearsal', 'm', 'completed', 'ended', '/', 'read-only', 0, '[]', 1, 1, 1)`,
  agent_calls: `insert into agent_calls (id, agent_id, server, tool, args, args_hash, status, started_at,
      version) values ($1, $1, 'hr', 'list', '{}', 'h', 'done', 1, 1)`,
  events: "insert into events (type, group_id, data, at) values ('group:created', $1, '{}', 1)",
};

test("migrate upgrades the schema before this one while its servers write, and keeps every row", async () => {
  const url = await aDatabase();
  await migratePostgres(url, firstOnes(NAMES.length - 1));
  const client = await aConnection(url);
  const ids: string[] = [];
  const writeOne = async () => {
    const id = `grp-${ids.length}`;
    for (const insert of Object.values(OLD_ROWS)) await client.query(insert, [id]);
    ids.push(id);
  };
  for (let count = 0; count < 20; count++) await writeOne();
  const migrated = new AbortController();
  const migrating = migratePostgres(url).finally(() => migrated.abort());
  while (!migrated.signal.aborted) await writeOne();
  const names = await migrating;
  const written = ids.length;
  for (let count = 0; count < 20; count++) await writeOne();

  expect(names).toEqual(LATER.slice(-1));
  expect(written).toBeGreaterThan(20);
  for (const table of Object.keys(OLD_ROWS)) {
    const { rows } = await client.query(`select count(*)::int as count from ${table}`);
    expect([table, rows[0]?.count]).toEqual([table, ids.length]);
  }
  const { rows } = await client.query(
    "select count(*)::int as count from agent_calls where coalesce(sent_by, delivery, handed_to) is null",
  );
  expect(rows[0]?.count).toBe(ids.length);
});

test("a migration that fails leaves the schema as it was, and the next migrate goes on", async () => {
  const url = await aDatabase();
  const broken: Migration = {
    async up(db) {
      await sql`alter table groups add column half text`.execute(db);
      await sql`select 1 / 0`.execute(db);
    },
  };
  await migratePostgres(url);
  const client = await aConnection(url);
  const before = await schemaOf(client);

  await expect(migratePostgres(url, { ...MIGRATIONS, "9998-broken": broken })).rejects.toThrow(
    "division by zero",
  );

  expect(await schemaOf(client)).toEqual(before);
  expect(await migratePostgres(url)).toEqual([]);
});
