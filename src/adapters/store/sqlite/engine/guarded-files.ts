import type { DatabaseSync } from "node:sqlite";
import { Refusal } from "../../../../domain/refusal.ts";
import { createFileGuard } from "./file-guard.ts";
import { checkpoint, rescue, type Rescue } from "./rescue.ts";

const LOOK_EVERY_MS = 1_000;

/** Keeps a store from acknowledging work that no later daemon would find. */
export type GuardedFiles = {
  /** Throws when a file of the database is gone: nothing more may be written. */
  require(): void;
  /** After a commit: throws when what was committed could not be saved either. */
  requireSaved(): void;
  /** Whether the connections may be closed in the ordinary way. */
  mayClose(): boolean;
  stop(): void;
};

export function guardFiles(options: {
  readonly database: DatabaseSync;
  readonly path: string;
  /** Called once, after what could be saved was saved. */
  readonly onLost: ((message: string) => void) | undefined;
}): GuardedFiles {
  const { database, path, onLost } = options;
  const guard = createFileGuard(path, () => checkpoint(database));
  let found: Rescue | undefined;

  function look(): Rescue | undefined {
    // In the middle of a transaction nothing can be saved; its commit looks again.
    if (found || !database.isOpen || database.isTransaction) return found;
    const problem = guard.look();
    if (!problem) return undefined;
    found = rescue(database, path, problem, guard.isOurs);
    onLost?.(found.message);
    return found;
  }

  // Without writes a deleted file is noticed by this alone.
  const timer = onLost && setInterval(look, LOOK_EVERY_MS).unref();
  return {
    require() {
      const lost = look();
      if (lost) throw storeLost(path, lost);
    },
    requireSaved() {
      const lost = look();
      if (lost && !lost.isSafe) throw storeLost(path, lost);
    },
    mayClose: () => look()?.mayClose ?? true,
    stop: () => clearInterval(timer),
  };
}

function storeLost(path: string, { message }: Rescue): Refusal {
  return new Refusal(
    "STORE_LOST",
    `The files of ${path} were deleted, replaced or truncated; the daemon takes no more work and stops.`,
    message,
  );
}
