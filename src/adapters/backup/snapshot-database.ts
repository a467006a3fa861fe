import { backup, DatabaseSync } from "node:sqlite";
import type { Store } from "../../app/ports/store.ts";
import { makePrivateFile } from "../store/private-files.ts";
import { countAudit, listAudit, listAuditAfter } from "../store/sql/people/audit.ts";
import { createSyncExecutor } from "../store/sqlite/engine/sync-executor.ts";
import { toStoreFault } from "../store/store-fault.ts";

const BUSY_TIMEOUT_MS = 5_000;
/** Pages per step: other work of this process goes on between two steps. */
const RATE = 2_000;

/**
 * Copies the database as it is at one moment, while a daemon may be writing. Its connection is
 * another process's: the daemon neither waits nor notices.
 */
export async function snapshotDatabase(source: string, target: string): Promise<void> {
  try {
    const database = new DatabaseSync(source, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    try {
      // An open read transaction keeps the moment: without one every commit restarts the copy.
      database.exec("begin");
      database.prepare("select count(*) from sqlite_schema").get();
      makePrivateFile(target);
      await backup(database, target, { rate: RATE });
    } finally {
      database.close();
    }
    standAlone(target);
  } catch (error) {
    throw toStoreFault(error, source);
  }
}

/** One file without a log beside it. */
function standAlone(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec("pragma journal_mode = delete");
  } finally {
    database.close();
  }
}

export type OpenedSnapshot = {
  /** False: SQLite itself finds it damaged. */
  readonly isSound: boolean;
  readonly migrations: readonly string[];
  /** The audit, for `verifyAudit`. */
  readonly audit: Pick<Store, "listAudit" | "listAuditAfter" | "countAudit">;
  close(): void;
};

/** Reads a snapshot without migrating it: it stays the database that the daemon wrote. */
export async function openSnapshot(path: string): Promise<OpenedSnapshot> {
  const database = new DatabaseSync(path, { readOnly: true });
  const db = await createSyncExecutor(database);
  return {
    isSound: isSound(database),
    migrations: migrationsIn(database),
    audit: {
      listAudit: (query) => listAudit(db, query),
      listAuditAfter: (seq, limit) => listAuditAfter(db, seq, limit),
      countAudit: () => countAudit(db),
    },
    close: () => database.close(),
  };
}

function isSound(database: DatabaseSync): boolean {
  try {
    return database.prepare("pragma quick_check(1)").get()?.["quick_check"] === "ok";
  } catch {
    return false;
  }
}

function migrationsIn(database: DatabaseSync): readonly string[] {
  try {
    return database
      .prepare("select name from migrations order by name")
      .all()
      .map(({ name }) => String(name));
  } catch {
    return [];
  }
}

/** The processes of the agents that a data directory believes to be running. */
export function liveAgentsIn(path: string): readonly {
  readonly pid: number;
  readonly start: string;
  readonly bootId: string;
}[] {
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    return database
      .prepare(
        "select pid, pid_start, boot_id from agents where process in ('starting', 'alive') and pid is not null",
      )
      .all()
      .map((row) => ({
        pid: Number(row["pid"]),
        start: String(row["pid_start"]),
        bootId: String(row["boot_id"]),
      }));
  } catch {
    // A database that cannot be read, which may be why it is being replaced.
    return [];
  } finally {
    database.close();
  }
}
