import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { isCode } from "../../base/error-code.ts";

/** Prompts and results are private. An existing directory keeps its mode: it may be shared on purpose. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/**
 * An existing file is never opened here: closing any descriptor of a file drops every POSIX lock
 * this process holds on it. SQLite gives the files beside it (-wal, -shm) the same mode.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}
