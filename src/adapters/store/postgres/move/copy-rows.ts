import type { DatabaseSync } from "node:sqlite";
import type pg from "pg";
import { errorCode } from "../../../../base/error-code.ts";
import { SpokenError } from "../../../../domain/spoken-error.ts";
import type { Db } from "../../sql/engine/tables.ts";
import { createPool, NO_LIMIT } from "../engine/connect.ts";
import { createDb, storable } from "../engine/executor.ts";
import { throwFault } from "../engine/faults.ts";
import { COPIED_TABLES } from "./copied-tables.ts";
import { readTable, type SourceTable, type Value } from "./read-rows.ts";

const LOCK_NOT_AVAILABLE = "55P03";

export type CopyRows = {
  readonly url: string;
  /** A private copy with the newest schema of SQLite. */
  readonly source: DatabaseSync;
  readonly onProgress: (doneRows: number, totalRows: number) => void;
  /** An earlier call was interrupted, maybe after its commit. */
  readonly isRepeated: boolean;
  /** Runs before the commit; if it rejects, nothing was copied. */
  readonly check: (copied: Db) => Promise<void>;
};

export type CopiedRows = {
  readonly rows: number;
  /** By table: texts with a character that PostgreSQL cannot store. It became U+FFFD. */
  readonly replaced: Readonly<Record<string, number>>;
  /** The rows are there already, from the call that was interrupted. */
  readonly wasThere: boolean;
};

/** Copies all rows in one transaction: after an interruption the target is as empty as before. */
export async function copyRows(options: CopyRows): Promise<CopiedRows> {
  const { url } = options;
  const pool = createPool({ url, name: "kuromajutsu migrate", queryTimeoutMs: NO_LIMIT }, 1);
  try {
    const client = await pool.connect().catch(throwFault);
    try {
      await client.query("begin");
      const copied = await copyIn(client, options);
      await client.query(copied.wasThere ? "rollback" : "commit");
      return copied;
    } catch (error) {
      await client.query("rollback").catch(() => undefined);
      return throwFault(error);
    } finally {
      client.release();
    }
  } finally {
    await pool.end();
  }
}

async function copyIn(client: pg.PoolClient, options: CopyRows): Promise<CopiedRows> {
  const { source, onProgress, check } = options;
  await beAlone(client);
  const types = await columnTypes(client);
  const tables = COPIED_TABLES.map((name) =>
    readTable(source, name, [...(types.get(name)?.keys() ?? [])]),
  );
  const rows = tables.reduce((sum, { count }) => sum + count, 0);
  const there = await countAll(client);
  if (isAny(there)) {
    if (!options.isRepeated) throw new SpokenError(NOT_EMPTY);
    return { rows, replaced: {}, wasThere: true };
  }
  const replaced: Record<string, number> = {};
  let done = 0;
  for (const table of tables) {
    for (const batch of table.batches()) {
      const changed = await insertBatch(client, { table, types, batch });
      if (changed > 0) replaced[table.name] = (replaced[table.name] ?? 0) + changed;
      onProgress((done += batch.length), rows);
    }
    await continueNumbers(client, table);
  }
  if (!isSame(await countAll(client), tables)) {
    throw new Error("PostgreSQL has another number of rows than SQLite; nothing was moved.");
  }
  await check(createDb(client));
  return { rows, replaced, wasThere: false };
}

/** Servers that use the database already wait, so that it stays as empty as it was found. */
async function beAlone(client: pg.PoolClient): Promise<void> {
  await client.query("set local statement_timeout = 0");
  await client.query("set local idle_in_transaction_session_timeout = 0");
  try {
    await client.query(`lock table ${COPIED_TABLES.map(quoted).join(", ")} in exclusive mode`);
  } catch (error) {
    if (errorCode(error) === LOCK_NOT_AVAILABLE) throw new SpokenError(IN_USE);
    throw error;
  }
}

type Types = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The columns that hold data of ours, by table. */
async function columnTypes(client: pg.PoolClient): Promise<Types> {
  const { rows } = await client.query<{ table: string; column: string; type: string }>(`
    select table_name as "table", column_name as "column", data_type as "type"
      from information_schema.columns where table_schema = current_schema()
      order by table_name, ordinal_position`);
  const tables = Map.groupBy(rows, ({ table }) => table);
  return new Map(
    [...tables].map(([table, columns]) => [
      table,
      new Map(columns.map(({ column, type }) => [column, type])),
    ]),
  );
}

async function countAll(client: pg.PoolClient): Promise<ReadonlyMap<string, number>> {
  const counts = COPIED_TABLES.map(
    (name) => `select '${name}' as name, count(*) as n from ${quoted(name)}`,
  );
  const { rows } = await client.query<{ name: string; n: number }>(counts.join(" union all "));
  return new Map(rows.map(({ name, n }) => [name, n]));
}

function isAny(counts: ReadonlyMap<string, number>): boolean {
  return [...counts.values()].some((count) => count > 0);
}

function isSame(counts: ReadonlyMap<string, number>, tables: readonly SourceTable[]): boolean {
  return tables.every(({ name, count }) => counts.get(name) === count);
}

type Batch = {
  readonly table: SourceTable;
  readonly types: Types;
  readonly batch: readonly (readonly Value[])[];
};

/** Returns how many texts were changed. One array per column is faster than one parameter per value. */
async function insertBatch(
  client: pg.PoolClient,
  { table: { name, columns }, types, batch }: Batch,
): Promise<number> {
  let changed = 0;
  const arrays = columns.map((_, at) =>
    batch.map((row) => {
      const value = row[at] ?? null;
      const stored = storable(value);
      if (stored !== value) changed += 1;
      return stored;
    }),
  );
  const typed = columns.map((column, at) => `$${at + 1}::${types.get(name)?.get(column)}[]`);
  await client.query(
    `insert into ${quoted(name)} (${columns.map(quoted).join(", ")})
      select * from unnest(${typed.join(", ")})`,
    arrays,
  );
  return changed;
}

async function continueNumbers(client: pg.PoolClient, table: SourceTable): Promise<void> {
  if (!table.columns.includes("seq") || table.lastNumber === 0) return;
  // null: the number is not one that PostgreSQL gives, as in the audit.
  await client.query("select setval(pg_get_serial_sequence($1, 'seq'), $2)", [
    quoted(table.name),
    table.lastNumber,
  ]);
}

function quoted(name: string): string {
  return `"${name}"`;
}

const NOT_EMPTY = {
  en: "The database of store.url already has other data, so nothing was moved. Create an empty database, let store.url name it, and run this again.",
  ja: "store.url のデータベースには、すでに別のデータがあります。何も移していません。空のデータベースを作り、store.url に指定してから、もう一度実行してください。",
};

const IN_USE = {
  en: "Another program is using the database of store.url, so nothing was moved. Stop every server that uses it, then run this again.",
  ja: "store.url のデータベースを、ほかのプログラムが使っています。何も移していません。使っているサーバーをすべて止めてから、もう一度実行してください。",
};
