import { PostgresAdapter, type RawBuilder, sql } from "kysely";
import type { Db, Tables } from "./tables.ts";

export function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * A table to select from by one index; null: by its order of insertion. SQLite has no statistics, so
 * lists name their index. PostgreSQL chooses the index by itself.
 */
export function tableBy(db: Db, table: keyof Tables, index: string | null): RawBuilder<unknown> {
  if (isPostgres(db)) return sql.table(table);
  const hint = index === null ? sql`not indexed` : sql`indexed by ${sql.ref(index)}`;
  return sql`${sql.table(table)} ${hint}`;
}

/** A number in a JSON column; null if the column or the field is missing. */
export function jsonNumber(db: Db, column: string, field: string): RawBuilder<number | null> {
  return isPostgres(db)
    ? sql`(${sql.ref(column)}::json ->> ${sql.lit(field)})::double precision`
    : sql`${sql.ref(column)} ->> ${sql.lit(field)}`;
}

export function contains(db: Db, column: string, text: string): RawBuilder<boolean> {
  return isPostgres(db)
    ? sql`strpos(${sql.ref(column)}, ${text}) > 0`
    : sql`instr(${sql.ref(column)}, ${text}) > 0`;
}

/** The column with the order of insertion, of a table that SQLite numbers by itself. */
export function insertionOrder(db: Db): RawBuilder<unknown> {
  return sql.ref(isPostgres(db) ? "seq" : "rowid");
}

/** SQLite never reorders a cross join; PostgreSQL has statistics to choose the order by itself. */
export function inThisOrder(db: Db): RawBuilder<unknown> {
  return isPostgres(db) ? sql`join` : sql`cross join`;
}
