import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, link, open, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isCode } from "../../base/error-code.ts";

/** Leftovers of a killed process are removed after this time; a running one takes milliseconds. */
const LEFTOVER_MS = 600_000;

/**
 * Replaces a file atomically: readers, and the disk after a power failure, have the old text or the
 * new one, never a part. Links are followed; mode and owner stay. `isStill` is called just before
 * the replacement; if it returns false, nothing is replaced. A new file gets `newMode`.
 */
export async function writeWholeFile(
  path: string,
  text: string,
  isStill: () => Promise<boolean>,
  newMode = 0o644,
): Promise<boolean> {
  const target = await realTarget(path);
  const old = await stat(target).catch(absent);
  // A rename needs only write permission for the directory; the file's own protection must hold
  // too.
  if (old) await access(target, constants.W_OK);
  const temporary = temporaryName(target);
  try {
    await writeNew(temporary, text, old, newMode);
    if (!(await isStill())) return false;
    await rename(temporary, target);
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
  await settle(dirname(target));
  await removeLeftovers(target);
  return true;
}

/**
 * Creates a file with its whole text, or not at all. Returns false if there is one already, also if
 * another process creates it at the same time.
 */
export async function writeNewFile(path: string, text: string, mode = 0o644): Promise<boolean> {
  const temporary = temporaryName(path);
  try {
    await writeNew(temporary, text, undefined, mode);
    // Unlike a rename, a link never replaces a file.
    await link(temporary, path);
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
  await settle(dirname(path));
  await removeLeftovers(path);
  return true;
}

async function realTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
    return join(await realpath(dirname(path)), basename(path));
  }
}

type Known = { readonly mode: number; readonly uid: number; readonly gid: number };

async function writeNew(
  path: string,
  text: string,
  like: Known | undefined,
  newMode: number,
): Promise<void> {
  const file = await open(path, "wx", like ? 0o600 : newMode);
  try {
    await file.writeFile(text);
    if (like) {
      // Only root may change the owner; for other users the file stays their own.
      await file.chown(like.uid, like.gid).catch(() => {});
      await file.chmod(like.mode & 0o777);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Syncs the directory, so that the new name survives a power failure; not every file system
 * supports it.
 */
async function settle(directory: string): Promise<void> {
  const handle = await open(directory, "r").catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

function temporaryName(target: string): string {
  return join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
}

async function removeLeftovers(target: string): Promise<void> {
  const prefix = `.${basename(target)}.`;
  const names = await readdir(dirname(target)).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(prefix) || !/^[0-9a-f]{12}\.tmp$/.test(name.slice(prefix.length)))
      continue;
    const path = join(dirname(target), name);
    const found = await stat(path).catch(absent);
    if (found && Date.now() - found.mtimeMs > LEFTOVER_MS) await rm(path, { force: true });
  }
}

function absent(error: unknown): undefined {
  if (!isCode(error, "ENOENT")) throw error;
}
