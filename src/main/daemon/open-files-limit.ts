import { readFileSync } from "node:fs";
import type { Log } from "../../app/ports/world.ts";

/** An idle daemon has about 40 files open; a few agents and connections need the rest. */
const NEEDED = 64;
/** One descriptor per agent and per connection: below this a busy day runs out. */
const COMFORTABLE = 256;

const ADVICE = "raise it with `ulimit -n 4096` (LimitNOFILE=4096 in a systemd unit)";

/** Throws when the limit is too low to work at all. Node has already raised it to the hard limit. */
export function requireOpenFiles(log: Log, limit = readLimit()): void {
  if (limit < NEEDED) {
    throw new Error(
      `This process may have only ${limit} open files; the daemon needs at least ${NEEDED}. Please ${ADVICE}.`,
    );
  }
  if (limit < COMFORTABLE) {
    log.warn(
      `Only ${limit} open files are allowed, one is needed per agent and connection; ${ADVICE}.`,
    );
  }
}

/** Infinity where it cannot be read (there is no /proc on macOS, and no low limit either). */
function readLimit(): number {
  if (process.platform !== "linux") return Infinity;
  const [, soft] =
    /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
  return soft === undefined ? Infinity : Number(soft);
}
