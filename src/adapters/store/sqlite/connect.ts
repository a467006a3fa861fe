import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { createDialect } from "./dialect.ts";
import type { Db, Tables } from "./tables.ts";

const BUSY_TIMEOUT_MS = 5_000;

export type Connection = { readonly db: Db; readonly database: DatabaseSync };

export function connectWriter(path: string, maxPages?: number): Connection {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // FULL: a commit is on the disk before it is acknowledged, also when the power fails.
    database.exec("pragma journal_mode = wal");
    database.exec("pragma synchronous = full");
    database.exec("pragma foreign_keys = on");
    if (maxPages !== undefined) database.exec(`pragma max_page_count = ${maxPages}`);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    database,
    db: new Kysely<Tables>({ dialect: createDialect(database, "begin immediate") }),
  };
}

/** Sees only what is committed, and never waits for the writer. */
export function connectReader(path: string): Connection {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readOnly: true });
  return { database, db: new Kysely<Tables>({ dialect: createDialect(database, "begin") }) };
}
