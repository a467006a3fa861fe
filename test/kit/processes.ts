import { readdirSync, readFileSync } from "node:fs";

/** Every process with an environment entry that begins with this text (Linux). */
export function processesWith(entry: string): { pid: number; environment: string[] }[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const bytes = readFileSync(`/proc/${name}/environ`);
      // Most processes are not ours: their variables are not worth a string.
      if (!bytes.includes(entry)) return [];
      const environment = bytes.toString("utf8").split("\0");
      const found = environment.some((each) => each.startsWith(entry));
      return found ? [{ pid: Number(name), environment }] : [];
    } catch {
      // The process has ended, or belongs to another user.
      return [];
    }
  });
}

export function endAll(processes: readonly { readonly pid: number }[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has ended.
    }
  }
}
