import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { procfs } from "./supervisor/process-table.ts";

/** Every process we ask something, and what it starts, carries this in its environment. */
export const PROBE_MARK = "KUROMAJUTSU_PROBE_ID";

/** Names this daemon too, so that the next one knows what a dead daemon has left. */
export function newMark(hex: string): string {
  return `${process.pid}.${procfs.get(process.pid)?.start ?? "0"}.${hex}`;
}

type Marked = { readonly pid: number; readonly mark: string };

/** One that is just becoming another program has no environment for a moment. */
const LOOK_AGAIN_MS = 25;

/**
 * Ends every process with this mark, in whatever session it is, until twice in a row none is found
 * (Linux).
 */
export async function endMarked(isOurs: (mark: string) => boolean): Promise<void> {
  let looksInVain = 0;
  // Each round may race with a fork; what outlives ten rounds cannot be killed at all.
  for (let round = 0; round < 10 && looksInVain < 2; round++) {
    const found = (await listMarked()).filter(({ mark }) => isOurs(mark));
    for (const { pid } of found) kill(pid, "SIGKILL");
    looksInVain = found.length === 0 ? looksInVain + 1 : 0;
    if (looksInVain === 1) await sleep(LOOK_AGAIN_MS);
  }
}

/** The daemon that asked is gone, so nobody waits for the answer. */
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
  const names = await readdir("/proc").catch(() => []);
  const pids = names.map(Number).filter(Number.isInteger);
  const marked = await Promise.all(pids.map(markOf));
  return marked.filter((each) => each !== undefined);
}

async function markOf(pid: number): Promise<Marked | undefined> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1");
    const prefix = `${PROBE_MARK}=`;
    const entry = environment.split("\0").find((each) => each.startsWith(prefix));
    return entry === undefined ? undefined : { pid, mark: entry.slice(prefix.length) };
  } catch {
    // Gone meanwhile, or another user's.
    return undefined;
  }
}
