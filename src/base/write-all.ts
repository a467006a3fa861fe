import { writeSync } from "node:fs";
import { errorCode } from "./error-code.ts";

/** A full pipe empties soon; a full disk needs a person. */
const PAUSE_MS: Readonly<Record<string, number>> = { EAGAIN: 2, ENOSPC: 200, EDQUOT: 200 };

/**
 * Writes everything before it returns: output just before an exit or a SIGKILL must not be lost.
 * The descriptor may be a file (the spool) or a non-blocking pipe; while either is full, this
 * waits.
 */
export function writeAll(
  fd: 1 | 2,
  data: string | Uint8Array,
  write: (fd: number, data: Uint8Array) => number = writeSync,
): void {
  let rest = typeof data === "string" ? Buffer.from(data) : data;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(write(fd, rest));
    } catch (error) {
      const code = errorCode(error);
      // The reader has closed the pipe: exit with the code of a program that SIGPIPE ended.
      if (code === "EPIPE") process.exit(141);
      const pauseMs = PAUSE_MS[String(code)];
      if (pauseMs === undefined) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
