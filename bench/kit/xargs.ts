import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { FAKE_CLIS } from "./place.ts";

/** Runs the fake CLI the given number of times without our code. */
export async function xargs(
  count: number,
  atOnce: number,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const options = ["-P", String(atOnce), "-n", "1", join(FAKE_CLIS, "agent"), "--model", "none"];
  const child = spawn("xargs", options, {
    env: { PATH: "/usr/bin:/bin", ...env },
    stdio: ["pipe", "ignore", "inherit"],
  });
  child.stdin.end(Array.from({ length: count }, (_, index) => `${index}\n`).join(""));
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`xargs ended with ${code}.`);
}
