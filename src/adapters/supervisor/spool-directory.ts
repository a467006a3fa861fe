import { statSync } from "node:fs";
import type { Log } from "../../app/ports/world.ts";
import { createSpool } from "./spool.ts";

/** The directory of the spool; it is made again when another program has deleted or replaced it. */
export function keepSpoolDirectory(options: {
  readonly directory: string;
  readonly log: Log;
  /** What was watched is gone: watch the new one. */
  readonly onRecreated: () => void;
}) {
  const { directory, log, onRecreated } = options;
  createSpool(directory);
  let known = identityOf(directory);

  return {
    ensure(): void {
      if (identityOf(directory) === known) return;
      createSpool(directory);
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
