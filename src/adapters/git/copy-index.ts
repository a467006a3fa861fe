import { copyFile, stat, utimes } from "node:fs/promises";
import { isCode } from "../../base/error-code.ts";

/**
 * git takes a file as unchanged if it is older than the index. A copy with a new time would hide an
 * edit in the second of the checkout; an older time only makes git compare more files.
 */
export async function copyIndex(from: string, to: string): Promise<boolean> {
  try {
    const before = await stat(from);
    await copyFile(from, to);
    const at = (Math.floor(before.mtimeMs) - 1) / 1_000;
    await utimes(to, at, at);
    return true;
  } catch (error) {
    if (isCode(error, "ENOENT")) return false;
    throw error;
  }
}
