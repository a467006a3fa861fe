import { realpathSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makePrivateDirectory, makePrivateFile } from "./private-files.ts";
import { toFileFault } from "./store-fault.ts";

const SQLITE_BUSY = 5;

export type Lock = { release(): void };

/**
 * Keeps the connections alive: the garbage collector would release the lock of an unreferenced one.
 * A held file is not opened again: closing any descriptor of it would release the lock (POSIX).
 */
const held = new Map<string, DatabaseSync>();

/**
 * Allows one daemon per data directory. The operating system releases the lock when the process
 * ends, even by a crash. No other code may open this file. undefined: another process has the lock.
 */
export function acquireLock(dataDir: string): Lock | undefined {
  try {
    makePrivateDirectory(dataDir);
    return lockFile(join(realpathSync(dataDir), "lock.db"));
  } catch (error) {
    throw toFileFault(error, dataDir);
  }
}

function lockFile(path: string): Lock | undefined {
  if (held.has(path)) return undefined;
  makePrivateFile(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("begin exclusive");
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  held.set(path, database);
  return {
    release() {
      if (held.get(path) !== database) return;
      held.delete(path);
      database.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    "errcode" in error &&
    typeof error.errcode === "number" &&
    (error.errcode & 0xff) === SQLITE_BUSY
  );
}
