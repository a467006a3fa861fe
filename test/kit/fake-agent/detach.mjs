// Leaves an orphan process outside the process group, and writes its pid to argv[2].
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";

const [, , pidFile, kind, lingerMs] = process.argv;
const child = spawn("/bin/sh", ["-c", "trap '' TERM INT HUP; while :; do sleep 1; done"], {
  detached: true,
  env: kind === "bare" ? {} : process.env,
  stdio: ["ignore", "inherit", "inherit"],
});
writeFileSync(pidFile, String(child.pid));
child.unref();
setTimeout(() => {}, Number(lingerMs));
