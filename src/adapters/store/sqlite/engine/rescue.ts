import { renameSync, rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { makePrivateFile } from "../../private-files.ts";
import { rescuedCopyOf } from "../../rescued-copies.ts";
import type { FileProblem } from "./file-guard.ts";

export type Rescue = {
  /** Whether all acknowledged writes are in files that can be found by path. */
  readonly isSafe: boolean;
  /** Closing deletes the log by its path, where another program's file may be by now. */
  readonly mayClose: boolean;
  /** What happened and what to do, for the log. */
  readonly message: string;
};

/**
 * Saves what only the open connection still has. A file that was deleted exists for as long as it
 * is open, so the log can still be written into the database, and the database be copied.
 */
export function rescue(
  database: DatabaseSync,
  path: string,
  problem: FileProblem,
  isOurs: (file: string) => boolean,
): Rescue {
  switch (problem.kind) {
    case "log-lost":
      return rescueLog(database, problem);
    case "directory-moved":
      return rescueMoved(database, path);
    case "database-lost":
      return rescueDatabase(database, path, isOurs);
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
  // Otherwise the next start would apply a log that does not belong to this database.
  const aside = isReplaced && path.endsWith("-wal") ? moveAside(path, "found") : undefined;
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

function rescueDatabase(
  database: DatabaseSync,
  path: string,
  isOurs: (file: string) => boolean,
): Rescue {
  const what = `${path} was deleted or replaced under the running daemon.`;
  const copy = rescuedCopyOf(path);
  try {
    makePrivateFile(copy);
    database.prepare("vacuum into ?").run(copy);
  } catch (error) {
    rmSync(copy, { force: true });
    const aside = moveOwnLogAside(path, isOurs);
    return {
      isSafe: false,
      mayClose: false,
      message: `${what} It could not be copied (${String(error)}).${aside} Restore a backup, or put back both the original database and its log, then start the daemon again.`,
    };
  }
  // The original may only have been renamed: it then needs no log to be complete.
  checkpoint(database);
  const aside = moveOwnLogAside(path, isOurs);
  return {
    isSafe: true,
    mayClose: false,
    message: `${what} A copy with all changes is ${copy}.${aside} To go on with the copy, delete ${path}, ${path}-wal and ${path}-shm if they exist, rename the copy to ${path}, and start the daemon again. To go on with a backup, put it at ${path} and start the daemon again.`,
  };
}

/** Otherwise the next start would apply our log to the other database at this path. */
function moveOwnLogAside(path: string, isOurs: (file: string) => boolean): string {
  const [log] = [`${path}-wal`, `${path}-shm`].map((file) =>
    isOurs(file) ? moveAside(file, "replaced") : undefined,
  );
  return log === undefined ? "" : ` The log of the old database is now ${log}.`;
}

function moveAside(path: string, why: "found" | "replaced"): string | undefined {
  const aside = `${path}.${why}-${Date.now()}`;
  try {
    renameSync(path, aside);
    return aside;
  } catch {
    return undefined;
  }
}
