import { readdirSync, readFileSync } from "node:fs";
import { sleep } from "./stats.ts";

/** CPU time of all threads of a process in ms. `stat` would only count in steps of 10 ms. */
export function cpuOf(pid: number): number {
  let nanoseconds = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const [onCpu = "0"] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, "latin1").split(" ");
    nanoseconds += Number(onCpu);
  }
  return nanoseconds / 1e6;
}

/** CPU ms that a process needs for some work, minus what it needs while idle. */
export async function cpuFor(
  pid: number,
  idlePerMs: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const cpu = cpuOf(pid);
  const began = performance.now();
  await work();
  return cpuOf(pid) - cpu - idlePerMs * (performance.now() - began);
}

/** CPU ms per ms of an idle process. */
export async function idleOf(pid: number, forMs = 3_000): Promise<number> {
  const cpu = cpuOf(pid);
  await sleep(forMs);
  return (cpuOf(pid) - cpu) / forMs;
}

/** The proportional set size (Pss) of a process in KB. */
export function pssOf(pid: number): number {
  const found = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "latin1"));
  if (!found) throw new Error("smaps_rollup has no Pss.");
  return Number(found[1]);
}

/** Processes whose parent is this one. */
export function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter(Number.isInteger)
    .filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    // It has ended.
    return undefined;
  }
}

/** A zombie counts as gone: there may be no parent to reap what a shim started. */
export function isGone(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return true;
  }
}

/** The environment of the first process that contains this entry. */
export function environmentOf(entry: string): ReadonlyMap<string, string> | undefined {
  for (const pid of readdirSync("/proc").map(Number).filter(Number.isInteger)) {
    try {
      const entries = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      if (!entries.includes(entry)) continue;
      return new Map(
        entries.map((each) => [each.split("=", 1)[0] ?? "", each.replace(/^[^=]*=/, "")]),
      );
    } catch {
      // Gone meanwhile, or another user's.
    }
  }
  return undefined;
}

/** Ends leftover processes with their home in this folder: agents of a failed run, a second daemon. */
export function endLeftovers(folder: string): void {
  const mark = `\0HOME=${folder}`;
  for (const pid of readdirSync("/proc").map(Number).filter(Number.isInteger)) {
    try {
      const environment = `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`;
      if (environment.includes(mark)) process.kill(pid, "SIGKILL");
    } catch {
      // Gone meanwhile, or another user's.
    }
  }
}
