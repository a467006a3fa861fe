import { writeSync } from "node:fs";

/**
 * All of it, before returning: what is written just before an exit or a SIGKILL must not be lost.
 * The descriptor may be a file (the spool) or a pipe someone made non-blocking.
 */
export function writeAll(fd: 1 | 2, data: string | Uint8Array): void {
  let rest = typeof data === "string" ? Buffer.from(data) : data;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      // Nobody reads any more: end as a program does that is told so by the system.
      if (error.code === "EPIPE") process.exit(141);
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
