import { readdir, readFile } from "node:fs/promises";
import { procfs } from "./supervisor/process-table.ts";

/** Every process we ask something, and what it starts, carries this in its environment. */
export const PROBE_MARK = "KUROMAJUTSU_PROBE_ID";

/** Names this daemon too, so that the next one knows what a dead daemon has left. */
export function newMark(hex: string): string {
  return `${process.pid}.${procfs.get(process.pid)?.start ?? "0"}.${hex}`;
}

type Marked = { readonly pid: number; readonly mark: string };

/** Ends every process with this mark, in whatever session it is, until none is found (Linux). */
export async function endMarked(isOurs: (mark: string) => boolean): Promise<void> {
  // Each round may race with a fork; what outlives ten rounds cannot be killed at all.
  for (let round = 0; round < 10; round++) {
    const found = (await listMarked()).filter(({ mark }) => isOurs(mark));
    if (found.length === 0) return;
    for (const { pid } of found) kill(pid, "SIGKILL");
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
