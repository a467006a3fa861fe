import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** Process groups of running servers; they are killed when the daemon exits. */
const groups = new Set<number>();

function killAll(): void {
  for (const pid of groups) signalGroup(pid, "SIGKILL");
}

export function watchGroup(pid: number): void {
  if (groups.size === 0) process.on("exit", killAll);
  groups.add(pid);
}

function forgetGroup(pid: number): void {
  groups.delete(pid);
  if (groups.size === 0) process.off("exit", killAll);
}

/**
 * Ends a stdio server as the protocol says: close its stdin, then SIGTERM, then SIGKILL. The signals
 * go to its whole process group, because many servers are started by a shell or by npx.
 */
export async function endProcess(child: ChildProcess, graceMs: number): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  child.stdin?.end();
  if (!(await hasEnded(child, graceMs))) {
    signalGroup(pid, "SIGTERM");
    if (!(await hasEnded(child, graceMs))) signalGroup(pid, "SIGKILL");
    await hasEnded(child, graceMs);
  }
  await endRest(pid, graceMs);
  forgetGroup(pid);
}

/** Ends the processes that the server left behind in its group. */
async function endRest(pid: number, graceMs: number): Promise<void> {
  if (!signalGroup(pid, "SIGTERM")) return;
  for (const until = performance.now() + graceMs; performance.now() < until;) {
    await sleep(20);
    if (!isGroupAlive(pid)) return;
  }
  signalGroup(pid, "SIGKILL");
}

function isGroupAlive(pid: number): boolean {
  return signalGroup(pid, 0);
}

/** False: the group has no process left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

async function hasEnded(child: ChildProcess, withinMs: number): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return true;
  const done = new AbortController();
  const ended = new Promise<boolean>((resolve) => child.once("exit", () => resolve(true)));
  const late = sleep(withinMs, false, { signal: done.signal }).catch(() => false);
  const answer = await Promise.race([ended, late]);
  done.abort();
  return answer;
}
