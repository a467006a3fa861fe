import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { isCode } from "../base/error-code.ts";

const KEY_BYTES = 32;

/** undefined: there is none. A key that is too short throws. */
export function readKeyFile(path: string): Buffer | undefined {
  const text = readIfThere(path)?.trim();
  if (text === undefined) return undefined;
  const key = Buffer.from(text, "utf8");
  if (key.length >= KEY_BYTES) return key;
  throw new Error(`${path} is too short for a key: at least ${KEY_BYTES} characters.`);
}

/** Only this user can read the new file. */
export function writeNewKey(path: string): Buffer {
  const text = randomBytes(KEY_BYTES).toString("hex");
  writeWhole(path, `${text}\n`);
  return Buffer.from(text, "utf8");
}

/** Atomic: after a crash the file is the old one or the new one. */
export function writeWhole(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  const file = openSync(temporary, "w", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  syncDirectory(dirname(path));
}

/** Not every file system can sync a directory; then the last rename is less durable. */
export function syncDirectory(path: string): void {
  try {
    const directory = openSync(path, "r");
    try {
      fsyncSync(directory);
    } finally {
      closeSync(directory);
    }
  } catch {
    // The rename itself has succeeded.
  }
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
