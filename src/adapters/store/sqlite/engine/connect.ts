import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import type { Db, Tables } from "../../sql/engine/tables.ts";
import { createDialect } from "./dialect.ts";
import { createSyncExecutor } from "./sync-executor.ts";

const BUSY_TIMEOUT_MS = 5_000;

export type Connection = { readonly db: Db; readonly database: DatabaseSync };
export type Writer = Connection & {
  /** `begin immediate` takes the write lock at once: a deferred one can fail half-way. */
  readonly begin: () => void;
  readonly commit: () => void;
  readonly rollback: () => void;
  /** A part of the open transaction that can be undone alone. */
  readonly nest: () => void;
  readonly merge: () => void;
  readonly undo: () => void;
  /** With transactions of its own, for migrations. */
  readonly forMigrations: Db;
};

export async function connectWriter(path: string, maxPages?: number): Promise<Writer> {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // FULL: a commit is on the disk before it is acknowledged, also when the power fails.
    database.exec("pragma journal_mode = wal");
    database.exec("pragma synchronous = full");
    database.exec("pragma foreign_keys = on");
    if (maxPages !== undefined) database.exec(`pragma max_page_count = ${maxPages}`);
    return { database, db: await createSyncExecutor(database), ...transactionStatements(database) };
  } catch (error) {
    database.close();
    throw error;
  }
}

function transactionStatements(database: DatabaseSync): Omit<Writer, keyof Connection> {
  const statement = (sql: string) => {
    const prepared = database.prepare(sql);
    return () => void prepared.run();
  };
  const [undo, merge] = [statement("rollback to part"), statement("release part")];
  return {
    begin: statement("begin immediate"),
    commit: statement("commit"),
    // A full disk makes SQLite roll back by itself; a second rollback would hide the reason.
    rollback: () => void (database.isTransaction && database.exec("rollback")),
    nest: statement("savepoint part"),
    merge,
    undo() {
      undo();
      merge();
    },
    forMigrations: new Kysely<Tables>({ dialect: createDialect(database, "begin immediate") }),
  };
}

/** Sees only what is committed, and never waits for the writer. */
export async function connectReader(path: string): Promise<Connection> {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readOnly: true });
  return { database, db: await createSyncExecutor(database) };
}
