import { writeSync } from "node:fs";
import { errorCode } from "../base/error-code.ts";

/** A full pipe empties soon; a full disk takes a person. */
const PAUSE_MS: Readonly<Record<string, number>> = { EAGAIN: 2, ENOSPC: 200, EDQUOT: 200 };

/**
 * Writes everything before it returns: what is written just before an exit or a SIGKILL must not be
 * lost. The descriptor may be a file (the spool) or a non-blocking pipe; while either is full, it
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
      // The reader is gone: end with the exit code of a program that got SIGPIPE.
      if (code === "EPIPE") process.exit(141);
      const pauseMs = PAUSE_MS[String(code)];
      if (pauseMs === undefined) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
