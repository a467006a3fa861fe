import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { eachAtMost } from "../app/each-at-most.ts";
import { isCode } from "../base/error-code.ts";
import { procfs } from "./supervisor/processes/process-table.ts";

/** Set in the environment of every probe process, and inherited by all it starts. */
export const PROBE_MARK = "KUROMAJUTSU_PROBE_ID";

/** Contains the daemon's pid and start time, so that the next daemon recognises orphan processes. */
export function newMark(hex: string): string {
  return `${process.pid}.${procfs.get(process.pid)?.start ?? "0"}.${hex}`;
}

type Marked = { readonly pid: number; readonly mark: string };

/** During exec a process has no environment for a moment. */
const LOOK_AGAIN_MS = 25;
/** Bounds the descriptors in use: each read needs one. */
const READ_AT_ONCE = 8;

/**
 * Linux only: kills every process with a matching mark, in any session, until two looks in a row
 * find none. A look that failed (no descriptor left) proves nothing and is repeated.
 */
export async function endMarked(
  isOurs: (mark: string) => boolean,
  variable = PROBE_MARK,
): Promise<void> {
  let emptyLooks = 0;
  // Each round may race with a fork; a process that survives ten rounds cannot be killed.
  for (let round = 0; round < 10 && emptyLooks < 2; round++) {
    const found = await listOurs(isOurs, variable);
    for (const { pid } of found ?? []) kill(pid, "SIGKILL");
    emptyLooks = found?.length === 0 ? emptyLooks + 1 : 0;
    if (!found || emptyLooks === 1) await sleep(LOOK_AGAIN_MS);
  }
}

/** Undefined if the processes could not be read. */
async function listOurs(
  isOurs: (mark: string) => boolean,
  variable: string,
): Promise<Marked[] | undefined> {
  try {
    return (await listMarked(variable)).filter(({ mark }) => isOurs(mark));
  } catch {
    return undefined;
  }
}

/** Has the daemon that set this mark ended? Throws if that cannot be found out. */
export function isOrphaned(mark: string): boolean {
  const [pid, start] = mark.split(".");
  return procfs.get(Number(pid))?.start !== start;
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

async function listMarked(variable: string): Promise<readonly Marked[]> {
  // Without /proc (macOS) marks cannot be read; there only the process group is killed.
  const names = await readdir("/proc").catch((error: unknown) => {
    if (isCode(error, "ENOENT")) return [];
    throw error;
  });
  const pids = names.map(Number).filter(Number.isInteger);
  const found: Marked[] = [];
  await eachAtMost(READ_AT_ONCE, pids, async (pid) => {
    const marked = await markOf(pid, variable);
    if (marked) found.push(marked);
  });
  return found;
}

async function markOf(pid: number, variable: string): Promise<Marked | undefined> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1");
    const prefix = `${variable}=`;
    const entry = environment.split("\0").find((each) => each.startsWith(prefix));
    return entry === undefined ? undefined : { pid, mark: entry.slice(prefix.length) };
  } catch (error) {
    // It has ended, or belongs to another user. Any other error proves nothing.
    if (isCode(error, "ENOENT", "ESRCH", "EACCES", "EPERM")) return undefined;
    throw error;
  }
}
