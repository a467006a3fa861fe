import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { eachAtMost } from "../app/each-at-most.ts";
import { isCode } from "./error-code.ts";
import { procfs } from "./supervisor/processes/process-table.ts";

/** Every process we ask something, and what it starts, carries this in its environment. */
export const PROBE_MARK = "KUROMAJUTSU_PROBE_ID";

/** Names this daemon too, so that the next one knows what a dead daemon has left. */
export function newMark(hex: string): string {
  return `${process.pid}.${procfs.get(process.pid)?.start ?? "0"}.${hex}`;
}

type Marked = { readonly pid: number; readonly mark: string };

/** A process that is just becoming another program has no environment for a moment. */
const LOOK_AGAIN_MS = 25;
/** Each needs a descriptor while it is read. */
const READ_AT_ONCE = 8;

/**
 * Ends every process with this mark, in whatever session it is, until twice in a row none is found
 * (Linux). A look that failed (no descriptor left) finds nothing out and is repeated.
 */
export async function endMarked(isOurs: (mark: string) => boolean): Promise<void> {
  let looksInVain = 0;
  // Each round may race with a fork; what outlives ten rounds cannot be killed at all.
  for (let round = 0; round < 10 && looksInVain < 2; round++) {
    const found = await listOurs(isOurs);
    for (const { pid } of found ?? []) kill(pid, "SIGKILL");
    looksInVain = found?.length === 0 ? looksInVain + 1 : 0;
    if (!found || looksInVain === 1) await sleep(LOOK_AGAIN_MS);
  }
}

/** Undefined when it could not look. */
async function listOurs(isOurs: (mark: string) => boolean): Promise<Marked[] | undefined> {
  try {
    return (await listMarked()).filter(({ mark }) => isOurs(mark));
  } catch {
    return undefined;
  }
}

/** The daemon that asked is gone, so the answer is of no use. Throws when it could not look. */
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

async function listMarked(): Promise<readonly Marked[]> {
  // Where there is no /proc (macOS) only the process group is found.
  const names = await readdir("/proc").catch((error: unknown) => {
    if (isCode(error, "ENOENT")) return [];
    throw error;
  });
  const pids = names.map(Number).filter(Number.isInteger);
  const found: Marked[] = [];
  await eachAtMost(READ_AT_ONCE, pids, async (pid) => {
    const marked = await markOf(pid);
    if (marked) found.push(marked);
  });
  return found;
}

async function markOf(pid: number): Promise<Marked | undefined> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1");
    const prefix = `${PROBE_MARK}=`;
    const entry = environment.split("\0").find((each) => each.startsWith(prefix));
    return entry === undefined ? undefined : { pid, mark: entry.slice(prefix.length) };
  } catch (error) {
    // It has ended, or belongs to another user. Any other error proves nothing.
    if (isCode(error, "ENOENT", "ESRCH", "EACCES", "EPERM")) return undefined;
    throw error;
  }
}
