import { statSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../../app/ports/world.ts";

const CHECK_EVERY_MS = 1_000;

/**
 * Stops the daemon when `lock.db` was deleted or replaced: a second daemon could lock the new file.
 * Uses stat only, because closing the file would release the lock. The store guards its own files.
 */
export function guardLock(dataDir: string, log: Log, stop: () => Promise<void>) {
  const path = join(dataDir, "lock.db");
  const identify = (): string => {
    const found = statSync(path, { throwIfNoEntry: false });
    return `${found?.dev}:${found?.ino}`;
  };
  const known = identify();

  const timer = setInterval(() => {
    if (isSame()) return;
    clearInterval(timer);
    log.error(
      `${path} was deleted or replaced under the running daemon. Stopping; agents go on. Start the daemon again, and keep other programs away from its data directory.`,
    );
    void stop().finally(() => process.exit(1));
  }, CHECK_EVERY_MS);

  function isSame(): boolean {
    try {
      return identify() === known;
    } catch {
      // An error (no permission, a disk error) does not prove that the file has changed.
      return true;
    }
  }
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
