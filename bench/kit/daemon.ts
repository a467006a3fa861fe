import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Context } from "./bench.ts";
import { readDaemonFile, type Place } from "./place.ts";
import { endLeftovers, isGone } from "./proc.ts";
import { sleep, until } from "./stats.ts";

export type Daemon = { readonly pid: number; readonly stderr: () => string };

/** Starts `kuromajutsu serve` and waits until it is reachable and quiet. */
export async function aDaemon(
  { product, ends }: Pick<Context, "product" | "ends">,
  place: Place,
  nodeOptions: readonly string[] = [],
): Promise<Daemon> {
  const child = spawn(process.execPath, [...nodeOptions, product.bin, "serve"], {
    cwd: place.dir,
    env: place.env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const exited = once(child, "exit");
  ends.defer(async () => {
    child.kill("SIGTERM");
    const impatience = setTimeout(() => child.kill("SIGKILL"), 10_000);
    await exited;
    clearTimeout(impatience);
  });
  const { pid = 0 } = child;
  await until(() => {
    if (child.exitCode !== null) throw new Error(`The daemon ended: ${said}`);
    return readDaemonFile(place)?.pid === pid;
  }, "a daemon");
  // The rest of its start must not be measured.
  await sleep(500);
  return { pid, stderr: () => said };
}

export function isServed(place: Place): boolean {
  const found = readDaemonFile(place);
  return found !== undefined && !isGone(found.pid);
}

/** Ends the daemon that a shim started, if any, with SIGTERM. */
export async function endStrayDaemon(place: Place): Promise<void> {
  const found = readDaemonFile(place);
  if (found && !isGone(found.pid)) {
    process.kill(found.pid, "SIGTERM");
    await until(() => isGone(found.pid), "the end of a daemon", 10_000);
  }
  // A shim may have started a second daemon, which gets the lock once the first has ended.
  endLeftovers(place.dir);
}
