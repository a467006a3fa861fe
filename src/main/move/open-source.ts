import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DATABASE } from "../../adapters/backup/archive-format.ts";
import { removeLeftovers } from "../../adapters/backup/leftovers.ts";
import { openSnapshot, type OpenedSnapshot } from "../../adapters/backup/snapshot-database.ts";
import { makePrivateFile } from "../../adapters/store/private-files.ts";
import { openSqliteStore } from "../../adapters/store/sqlite/sqlite-store.ts";
import { SpokenError } from "../../domain/spoken-error.ts";

const WORK_PREFIX = ".moving-";

export type Source = {
  readonly path: string;
  readonly database: DatabaseSync;
  readonly audit: OpenedSnapshot["audit"];
  close(): void;
};

/**
 * A copy of the database in a folder of its own, with the newest schema. The files of the source are
 * only read: even a read-only connection of SQLite would write beside them. The lock of the source is
 * held, so nothing changes them meanwhile.
 */
export async function openSource(from: string, dataDir: string): Promise<Source> {
  removeLeftovers(dataDir, WORK_PREFIX);
  const work = join(dataDir, `${WORK_PREFIX}${process.pid}`);
  mkdirSync(work, { mode: 0o700 });
  const remove = () => rmSync(work, { recursive: true, force: true });
  try {
    const path = join(work, DATABASE);
    for (const end of ["", "-wal"]) {
      const file = join(from, `${DATABASE}${end}`);
      if (!existsSync(file)) continue;
      makePrivateFile(`${path}${end}`);
      copyFileSync(file, `${path}${end}`);
    }
    await (await openSqliteStore({ path })).close();
    const snapshot = await openSnapshot(path);
    const database = new DatabaseSync(path, { readOnly: true });
    const close = () => {
      database.close();
      snapshot.close();
      remove();
    };
    if (!snapshot.isSound) {
      close();
      throw new SpokenError(damaged(join(from, DATABASE)));
    }
    return { path, database, audit: snapshot.audit, close };
  } catch (error) {
    remove();
    throw error;
  }
}

const damaged = (path: string) => ({
  en: `${path} is damaged (\`pragma quick_check\` of SQLite fails), so nothing was moved. Restore a backup of it first.`,
  ja: `${path} は壊れています（SQLite の \`pragma quick_check\` に失敗します）。何も移していません。先にバックアップから復元してください。`,
});
