import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Differs after every start of the machine: pids and start times mean nothing across it. */
export function readBootId(): string {
  if (process.platform === "linux") {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  }
  return execFileSync("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"], {
    encoding: "latin1",
  }).trim();
}
