import { statSync, type Stats } from "node:fs";
import { dirname } from "node:path";

/** What happened to the files of an open database, as seen by path. */
export type FileProblem =
  /** The whole directory was moved, with the files in it. */
  | { readonly kind: "directory-moved"; readonly path: string }
  | { readonly kind: "database-lost"; readonly path: string }
  /** The log (-wal) or its index (-shm); the open connection still has the old file. */
  | { readonly kind: "log-lost"; readonly path: string; readonly isReplaced: boolean }
  /** The truncated part is lost, and a checkpoint of the rest would damage the database. */
  | { readonly kind: "log-truncated"; readonly path: string };

export type FileGuard = {
  /** The first problem that was found; it is never cleared. */
  look(): FileProblem | undefined;
  /** Whether the file at this path is still the one that the connection opened. */
  readonly isOurs: (file: string) => boolean;
};

type Identity = { readonly dev: number; readonly ino: number };

/**
 * Compares the files of an open SQLite database with those that the connection opened. Uses only
 * stat: opening and closing one of them would release SQLite's locks (POSIX). `isLogIntact` is
 * called when the log is empty, because another program's checkpoint may have emptied it.
 */
export function createFileGuard(path: string, isLogIntact: () => boolean): FileGuard {
  const directory = dirname(path);
  const log = `${path}-wal`;
  const index = `${path}-shm`;
  const known = new Map<string, Identity | undefined>(
    [directory, path, log, index].map((file) => [file, tryStat(file)]),
  );
  let logBytes = 0;
  let problem: FileProblem | undefined;

  function isSame(file: string, now: Stats | undefined): boolean {
    const then = known.get(file);
    return then === undefined || (now?.ino === then.ino && now.dev === then.dev);
  }

  function find(): FileProblem | undefined {
    const database = tryStat(path);
    if (!isSame(path, database)) {
      const isMoved = !isSame(directory, tryStat(directory));
      return { kind: isMoved ? "directory-moved" : "database-lost", path };
    }
    for (const file of [log, index]) {
      const now = tryStat(file);
      if (!isSame(file, now))
        return { kind: "log-lost", path: file, isReplaced: now !== undefined };
      if (file === log && isCut(now?.size ?? 0)) return { kind: "log-truncated", path: log };
    }
    return undefined;
  }

  /** SQLite overwrites its log from the start, but never makes it shorter while it is in use. */
  function isCut(bytes: number): boolean {
    const isShorter = bytes < logBytes;
    logBytes = bytes;
    return isShorter && (bytes > 0 || !isLogIntact());
  }

  return {
    look() {
      try {
        return (problem ??= find());
      } catch {
        // A failed stat (no permission, a disk error) proves nothing.
        return undefined;
      }
    },
    isOurs(file) {
      const now = tryStat(file);
      return now !== undefined && known.get(file) !== undefined && isSame(file, now);
    },
  };
}

function tryStat(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}
