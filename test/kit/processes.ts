import { readdirSync, readFileSync } from "node:fs";

/** Every process whose environment has an entry that begins like this (Linux). */
export function processesWith(entry: string): { pid: number; environment: string[] }[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const environment = readFileSync(`/proc/${name}/environ`, "utf8").split("\0");
      const found = environment.some((each) => each.startsWith(entry));
      return found ? [{ pid: Number(name), environment }] : [];
    } catch {
      // It ended while we looked, or is not ours.
      return [];
    }
  });
}

export function endAll(processes: readonly { readonly pid: number }[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
  }
}
