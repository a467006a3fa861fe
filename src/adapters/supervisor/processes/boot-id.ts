import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Changes with every boot: pids and start times cannot be compared across boots. */
export function readBootId(): string {
  if (process.platform === "linux") {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  }
  return execFileSync("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"], {
    encoding: "latin1",
  }).trim();
}
