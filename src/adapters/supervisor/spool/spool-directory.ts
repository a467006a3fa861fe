import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { Log } from "../../../app/ports/world.ts";
import { createSpool, recreateSpool } from "./spool.ts";

/**
 * Creates the spool directory, and creates it again when another program deletes or replaces it. It
 * never creates the parent again: when the data directory was moved, an empty one at the old path
 * would hide that. The guard of the database files notices the move and stops the daemon.
 */
export function keepSpoolDirectory(options: {
  readonly directory: string;
  readonly log: Log;
  /** The watched directory is gone: watch the new one. */
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
        "The spool directory was deleted or replaced, and was created again. New agents start as usual; the exit codes of running agents are lost.",
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
