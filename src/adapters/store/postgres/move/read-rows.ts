import type { DatabaseSync } from "node:sqlite";

const MAX_ROWS = 500;
const MAX_CHARACTERS = 1_000_000;

export type Value = string | number | null;

export type SourceTable = {
  readonly name: string;
  /** As in PostgreSQL: `seq` is also there for a table whose rows SQLite numbers by itself. */
  readonly columns: readonly string[];
  readonly count: number;
  /** No later row has this number or a lower one. */
  readonly lastNumber: number;
  batches(): Iterable<readonly (readonly Value[])[]>;
};

/** `wanted` are the columns in PostgreSQL. */
export function readTable(
  database: DatabaseSync,
  name: string,
  wanted: readonly string[],
): SourceTable {
  const found = database.prepare("select name from pragma_table_info(?)").all(name);
  const own = found.map((column) => String(column["name"]));
  const unknown = own.filter((column) => !wanted.includes(column));
  if (own.length === 0 || unknown.length > 0) {
    throw new Error(`PostgreSQL has no place for ${name} (${unknown.join(", ")}) of SQLite.`);
  }
  const isNumbered = !own.includes("seq") && wanted.includes("seq");
  const columns = isNumbered ? ["seq", ...own] : own;
  const read = own.map(quoted).join(", ");
  const rows = isNumbered ? `rowid as seq, ${read}` : read;
  const order = columns.includes("seq") ? "order by seq" : "";
  const select = `select ${rows} from ${quoted(name)} ${order}`;
  return {
    name,
    columns,
    count: numberIn(database, `select count(*) as n from ${quoted(name)}`),
    lastNumber: columns.includes("seq") ? lastNumber(database, name, isNumbered) : 0,
    batches: () => batchesOf(database, select),
  };
}

function* batchesOf(database: DatabaseSync, select: string): Iterable<(readonly Value[])[]> {
  let batch: (readonly Value[])[] = [];
  let characters = 0;
  for (const row of database.prepare(select).iterate()) {
    const values = Object.values(row).map(toValue);
    batch.push(values);
    for (const value of values) if (typeof value === "string") characters += value.length;
    if (batch.length < MAX_ROWS && characters < MAX_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

function toValue(value: unknown): Value {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  throw new Error(`A value of the type ${typeof value} cannot be moved.`);
}

/** Deleted rows had higher numbers, which must not be given again. */
function lastNumber(database: DatabaseSync, name: string, isNumbered: boolean): number {
  const column = isNumbered ? "rowid" : "seq";
  const highest = numberIn(
    database,
    `select coalesce(max(${column}), 0) as n from ${quoted(name)}`,
  );
  const given = database
    .prepare("select coalesce(max(seq), 0) as n from sqlite_sequence where name = ?")
    .get(name);
  return Math.max(highest, Number(given?.["n"] ?? 0));
}

function numberIn(database: DatabaseSync, sql: string): number {
  return Number(database.prepare(sql).get()?.["n"] ?? 0);
}

function quoted(name: string): string {
  return `"${name}"`;
}
