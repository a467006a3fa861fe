import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isCode } from "../../base/error-code.ts";

const BLOCK = 512;

/** As `du`: blocks on the disk, a file with several names once, links not followed. */
export async function diskUse(path: string): Promise<number> {
  const seen = new Set<string>();
  let blocks = 0;
  const waiting = [path];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const here = next;
    const found = await unlessGone(lstat(here));
    if (!found) continue;
    if (found.nlink > 1 && !found.isDirectory()) {
      const key = `${found.dev}:${found.ino}`;
      if (seen.has(key)) continue;
      seen.add(key);
    }
    blocks += found.blocks;
    if (!found.isDirectory()) continue;
    for (const name of (await unlessGone(readdir(here))) ?? []) waiting.push(join(here, name));
  }
  return blocks * BLOCK;
}

/** An agent at work deletes files while they are counted. */
async function unlessGone<Value>(found: Promise<Value>): Promise<Value | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR", "EACCES")) return undefined;
    throw error;
  }
}
