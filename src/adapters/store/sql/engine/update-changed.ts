import { type CompiledQuery, sql } from "kysely";
import { isPostgres } from "./dialect.ts";
import { prepared } from "./prepared.ts";
import type { Db, Tables } from "./tables.ts";

type Row = Readonly<Record<string, unknown>>;

/** `known` is the row of that version, if the caller has it already. */
export type UpdateChanged = (
  db: Db,
  next: Row,
  id: string,
  expected: number,
  known?: Row,
) => Promise<boolean>;

/**
 * Updates a row if it still has the expected version; false if not. Names only the columns that
 * differ: SQLite writes every index with a named column, even if the value is the same, and each
 * index costs a page on the disk.
 */
export function updateChanged(
  table: keyof Tables,
  version: "version" | "revision" = "version",
): UpdateChanged {
  const whereIs = (id: string, expected: number) =>
    sql`where id = ${id} and ${sql.ref(version)} = ${expected}`;
  const select = prepared(
    (db, id: string, expected: number) => ({
      compile: () =>
        sql<Row>`select * from ${sql.table(table)} ${whereIs(id, expected)}`.compile(db),
    }),
    (id, expected) => [id, expected],
  );
  const updates = new Map<string, CompiledQuery>();

  return async (db, next, id, expected, known) => {
    const stored = known ?? (await select(db, id, expected)).rows[0];
    if (!stored) return false;
    const columns = Object.keys(next).filter((column) => next[column] !== stored[column]);
    const key = `${isPostgres(db)} ${columns.join()}`;
    const sets = () => columns.map((column) => sql`${sql.ref(column)} = ${next[column]}`);
    const update =
      updates.get(key) ??
      sql`update ${sql.table(table)} set ${sql.join(sets())} ${whereIs(id, expected)}`.compile(db);
    updates.set(key, update);
    const parameters = [...columns.map((column) => next[column]), id, expected];
    return (await db.executeQuery({ ...update, parameters })).numAffectedRows === 1n;
  };
}
