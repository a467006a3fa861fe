import { spawnSync } from "node:child_process";
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

const IN_MEMORY = "/dev/shm";
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** A folder whose files are in memory. Containers often have none, or one that is too small. */
export function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    accessSync(IN_MEMORY, constants.W_OK);
    return bavail * bsize > ENOUGH_BYTES ? IN_MEMORY : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Global setup: the temporary files of this run are in memory, because every commit of SQLite and git
 * waits for the disk. Tests kill processes, not the machine, so they prove the same without a disk.
 * A TMPDIR that the user has set stays.
 */
export function setup(): (() => void) | undefined {
  const base = memoryFolder();
  if (base === undefined || process.env["TMPDIR"] !== undefined) return undefined;
  const folder = mkdtempSync(join(base, "km-"));
  // As in /tmp, some tests do something as another user.
  chmodSync(folder, 0o1777);
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  if (!runsPrograms(folder)) {
    remove();
    return undefined;
  }
  process.env["TMPDIR"] = folder;
  // A run that Ctrl-C ends has no teardown.
  process.once("exit", remove);
  return remove;
}

/** Containers often mount this folder with `noexec`; tests write programs and start them. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 });
  return spawnSync(program).status === 0;
}
