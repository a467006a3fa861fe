import { renameSync, rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { makePrivateFile } from "../private-files.ts";
import type { FileProblem } from "./file-guard.ts";

export type Rescue = {
  /** Everything that was acknowledged is in files that can be found by path. */
  readonly isSafe: boolean;
  /** Closing would delete the log by its path, which may be somebody else's file by now. */
  readonly mayClose: boolean;
  /** What happened and what to do, for the log and the person who reads it. */
  readonly message: string;
};

/**
 * Saves what only the open connection still has. A file that was deleted exists for as long as it
 * is open, so the log can still be written into the database, and the database be copied.
 */
export function rescue(database: DatabaseSync, path: string, problem: FileProblem): Rescue {
  switch (problem.kind) {
    case "log-lost":
      return rescueLog(database, problem);
    case "directory-moved":
      return rescueMoved(database, path);
    case "database-lost":
      return rescueDatabase(database, path);
    case "log-truncated":
      return {
        isSafe: false,
        mayClose: false,
        message: `${problem.path} was truncated under the running daemon, and changes that were only in it are lost. Restore a backup of the data directory, or start again with what the database has.`,
      };
  }
}

/** Writes everything that is in the log into the database file; false when it could not. */
export function checkpoint(database: DatabaseSync): boolean {
  try {
    const done = database.prepare("pragma wal_checkpoint(full)").get();
    return done?.["busy"] === 0 && done["log"] === done["checkpointed"];
  } catch {
    return false;
  }
}

function rescueLog(
  database: DatabaseSync,
  { path, isReplaced }: Extract<FileProblem, { kind: "log-lost" }>,
): Rescue {
  const what = `${path} was deleted or replaced under the running daemon.`;
  if (!checkpoint(database)) {
    return {
      isSafe: false,
      mayClose: false,
      message: `${what} Its changes could not be written into the database (is the disk full?). Restore a backup, or start again with what the database has.`,
    };
  }
  // The next start would apply a log that does not belong to this database.
  const aside = isReplaced && path.endsWith("-wal") ? moveAside(path) : undefined;
  const moved = aside === undefined ? "" : ` The file found in its place is now ${aside}.`;
  return {
    isSafe: true,
    mayClose: true,
    message: `${what} All changes were written into the database, nothing is lost.${moved} Start the daemon again, and keep other programs away from its data directory.`,
  };
}

function rescueMoved(database: DatabaseSync, path: string): Rescue {
  const isSafe = checkpoint(database);
  return {
    isSafe,
    mayClose: false,
    message: `The directory of ${path} was moved or deleted under the running daemon. Move it back, then start the daemon again; if it was deleted, restore a backup.`,
  };
}

function rescueDatabase(database: DatabaseSync, path: string): Rescue {
  const what = `${path} was deleted or replaced under the running daemon.`;
  const copy = `${path}.rescued-${Date.now()}`;
  try {
    makePrivateFile(copy);
    database.prepare("vacuum into ?").run(copy);
  } catch (error) {
    rmSync(copy, { force: true });
    return {
      isSafe: false,
      mayClose: false,
      message: `${what} It could not be copied (${String(error)}). Put it back or restore a backup, then start the daemon again.`,
    };
  }
  return {
    isSafe: true,
    mayClose: false,
    message: `${what} A copy with all changes is ${copy}: to go on with it, delete ${path}, ${path}-wal and ${path}-shm, rename the copy to ${path}, and start the daemon again.`,
  };
}

function moveAside(path: string): string | undefined {
  const aside = `${path}.found-${Date.now()}`;
  try {
    renameSync(path, aside);
    return aside;
  } catch {
    return undefined;
  }
}
