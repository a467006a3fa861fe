import type { DatabaseSync } from "node:sqlite";
import { Refusal } from "../../../../domain/refusal.ts";
import { createFileGuard } from "./file-guard.ts";
import { checkpoint, rescue, type Rescue } from "./rescue.ts";

const LOOK_EVERY_MS = 1_000;

/** Prevents a store from acknowledging writes that would be lost at the next start. */
export type GuardedFiles = {
  /** Throws if a file of the database is gone, because further writes would be lost. */
  require(): void;
  /** Call after a commit: throws if the committed rows could not be saved. */
  requireSaved(): void;
  /** Whether the connections may be closed normally. */
  mayClose(): boolean;
  stop(): void;
};

export function guardFiles(options: {
  readonly database: DatabaseSync;
  readonly path: string;
  /** Called once, after the rescue. */
  readonly onLost: ((message: string) => void) | undefined;
}): GuardedFiles {
  const { database, path, onLost } = options;
  const guard = createFileGuard(path, () => checkpoint(database));
  let found: Rescue | undefined;

  function look(): Rescue | undefined {
    // Nothing can be saved during a transaction; its commit checks again.
    if (found || !database.isOpen || database.isTransaction) return found;
    const problem = guard.look();
    if (!problem) return undefined;
    found = rescue(database, path, problem, guard.isOurs);
    onLost?.(found.message);
    return found;
  }

  // Without writes only this timer detects a deleted file.
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
  return new Refusal("STORE_LOST", {
    en: [
      `The files of ${path} were deleted, replaced or truncated; the daemon takes no more work and stops.`,
      message,
    ],
    ja: [
      `${path} のファイルが削除、置換、または切り詰められました。デーモンは新しい作業を受け付けずに停止します。`,
      message,
    ],
  });
}
