import { statSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../app/ports/world.ts";

const LOOK_EVERY_MS = 2_000;
/** Looked at by stat only: opening and closing lock.db would drop the lock. */
const FILES = ["lock.db", "kuromajutsu.db"];

/**
 * A database that was deleted goes on taking writes nobody will ever read, and a deleted lock lets
 * a second daemon in. Then it is better to stop, loudly: agents go on, and the next daemon says
 * what it finds.
 */
export function guardFiles(dataDir: string, log: Log, stop: () => Promise<void>) {
  const inodeOf = (name: string): number | undefined =>
    statSync(join(dataDir, name), { throwIfNoEntry: false })?.ino;
  const known = FILES.map((name) => ({ name, inode: inodeOf(name) }));

  const timer = setInterval(() => {
    const gone = known.find(({ name, inode }) => inodeOf(name) !== inode);
    if (!gone) return;
    clearInterval(timer);
    log.error(
      `${join(dataDir, gone.name)} was deleted or replaced under the running daemon. Stopping; agents go on. Put it back, or start again with what is there.`,
    );
    void stop().finally(() => process.exit(1));
  }, LOOK_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
