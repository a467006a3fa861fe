import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isCode } from "../../base/error-code.ts";

/** Removes what a killed process has left: folders that are named after a process that is gone. */
export function removeLeftovers(folder: string, prefix: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(name.slice(prefix.length));
    if (!Number.isInteger(pid) || pid <= 0 || (pid !== process.pid && isAlive(pid))) continue;
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, "EPERM");
  }
}
