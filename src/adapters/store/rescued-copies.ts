import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Beside the database: `rescue` makes one when the database is deleted or replaced. */
export function rescuedCopyOf(path: string): string {
  return `${path}.rescued-${Date.now()}`;
}

/**
 * Throws when the database is missing or empty while a copy of it exists. A daemon that is started
 * again automatically would otherwise begin empty and take running agents for unknown ones.
 */
export function refuseToBeginEmpty(path: string): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  const newest = newestCopyOf(path);
  if (newest === undefined) return;
  throw new Error(
    `${path} is missing or empty, but an earlier daemon saved a copy with all its changes when it was deleted or replaced: ${newest}. ` +
      `To go on with the copy, delete ${path}, ${path}-wal and ${path}-shm if they exist, rename the copy to ${path}, and start the daemon again. ` +
      `To begin with an empty database on purpose, move every ${path}.rescued-* to another directory first.`,
  );
}

function newestCopyOf(path: string): string | undefined {
  const directory = dirname(path);
  const name = readdirSync(directory)
    .filter((each) => each.startsWith(`${basename(path)}.rescued-`))
    .sort()
    .at(-1);
  return name === undefined ? undefined : join(directory, name);
}
