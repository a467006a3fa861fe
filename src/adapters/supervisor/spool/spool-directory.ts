import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { Log } from "../../../app/ports/world.ts";
import { createSpool, recreateSpool } from "./spool.ts";

/**
 * The directory of the spool; it is made again when another program has deleted or replaced it.
 * The directory above it is not: when the data directory was moved, an empty one at its old path
 * would hide that. The guard of the database files notices it and stops the daemon.
 */
export function keepSpoolDirectory(options: {
  readonly directory: string;
  readonly log: Log;
  /** What was watched is gone: watch the new one. */
  readonly onRecreated: () => void;
}) {
  const { directory, log, onRecreated } = options;
  createSpool(directory);
  const parent = identityOf(dirname(directory));
  let known = identityOf(directory);

  return {
    ensure(): void {
      if (identityOf(directory) === known) return;
      if (identityOf(dirname(directory)) !== parent) return;
      recreateSpool(directory);
      known = identityOf(directory);
      log.warn(
        "The spool directory was deleted or replaced and was made again; new agents start as usual, the exit codes of those that were running are lost.",
        { directory },
      );
      onRecreated();
    },
  };
}

function identityOf(directory: string): string {
  const found = statSync(directory, { throwIfNoEntry: false });
  return `${found?.dev}:${found?.ino}`;
}
