import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Written last into a restored data directory; the next daemon reads and removes it. */
export const RESTORED_MARK = "restored.json";

/** Written by `migrate --from`; the next daemon that uses PostgreSQL reads and removes it. */
export const MOVED_MARK = "moved.json";

export const stagingPrefix = (dataDir: string): string => `${basename(dataDir)}.restoring-`;
export const keptPrefix = (dataDir: string): string => `${basename(dataDir)}.before-restore-`;

/**
 * A restore renames two directories, and a crash between the two leaves none at the old path. A
 * daemon would then begin empty.
 */
export function refuseHalfSwapped(dataDir: string, databasePath: string): void {
  if (existsSync(databasePath)) return;
  const parent = dirname(dataDir);
  const beside = readdirSync(parent);
  const restored = beside.find(
    (name) =>
      name.startsWith(stagingPrefix(dataDir)) && existsSync(join(parent, name, RESTORED_MARK)),
  );
  const kept = beside
    .filter((name) => name.startsWith(keptPrefix(dataDir)))
    .toSorted()
    .at(-1);
  if (restored === undefined || kept === undefined) return;
  throw new Error(
    `A restore of ${dataDir} was interrupted between its last two steps. ` +
      `The restored data is ${join(parent, restored)}, the data before it ${join(parent, kept)}. ` +
      `Remove ${dataDir} if it exists, rename one of the two to ${dataDir}, and start the daemon again.`,
  );
}
