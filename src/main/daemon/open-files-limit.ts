import { readFileSync } from "node:fs";
import type { Log } from "../../app/ports/world.ts";

/** An idle daemon has about 40 files open; a few agents and connections need the rest. */
const NEEDED = 64;
/** Each agent and each connection needs a descriptor; fewer may run out under load. */
const COMFORTABLE = 256;

const ADVICE = "raise it with `ulimit -n 4096` (LimitNOFILE=4096 in a systemd unit)";

/** Throws if the limit is too low to work. Node has already raised the soft limit to the hard one. */
export function requireOpenFiles(log: Log, limit = readOpenFilesLimit() ?? Infinity): void {
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

/** undefined if there is no limit or it is unknown; macOS has no /proc, and no low limit either. */
export function readOpenFilesLimit(): number | undefined {
  try {
    const limits = readFileSync("/proc/self/limits", "latin1");
    const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
