import { closeSync, openSync, readSync } from "node:fs";

let buffer = Buffer.allocUnsafeSlow(16 * 1024);

/**
 * Reads a file of /proc into a shared buffer; the result is valid until the next call. The launcher
 * reads thousands of these files a second, and `readFileSync` allocates 64 KB for each of them.
 */
export function readProc(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    for (let length = 0; ;) {
      const bytes = readSync(file, buffer, length, buffer.length - length, null);
      if (bytes === 0) return buffer.subarray(0, length);
      length += bytes;
      if (length === buffer.length) buffer = Buffer.concat([buffer], 2 * length);
    }
  } finally {
    closeSync(file);
  }
}
