import { constants } from "node:fs";
import { copyFile, lstat, mkdir, readlink, rename, rm, symlink } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { eachAtMost } from "../../app/each-at-most.ts";
import { isCode } from "../../base/error-code.ts";
import { cannotCopy, copyTooLarge, noSpaceToCopy } from "./refusals.ts";
import { runProgram } from "./run-program.ts";

export const MAX_COPIED_BYTES = 1_073_741_824;
const AT_ONCE = 8;
const LIST = ["git", "ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--"];

export type CopyIgnored = {
  readonly from: string;
  readonly to: string;
  readonly globs: readonly string[];
  /** The environment of git. */
  readonly env: Readonly<Record<string, string>>;
  readonly maxBytes?: number;
};

type Found = {
  readonly path: string;
  readonly bytes: number;
  /** null: a file. */
  readonly link: string | null;
};

/** Files that git ignores only: what it knows is in the worktree, and may differ there on purpose. */
export async function copyIgnored(copy: CopyIgnored): Promise<readonly string[]> {
  const { from, to, globs, maxBytes = MAX_COPIED_BYTES } = copy;
  if (globs.length === 0) return [];
  const found = await findFiles(from, await listIgnored(copy));
  const bytes = found.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > maxBytes) throw copyTooLarge(bytes, maxBytes, globs);

  // A crash must not leave a part of a file under its name: files are complete when they are moved.
  const staging = `${resolve(to)}.copy`;
  const isDirectory = createDirectoryCheck(to, true);
  const copied: string[] = [];
  try {
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { mode: 0o700 });
    await eachAtMost(AT_ONCE, [...found.entries()], async ([at, file]) => {
      if (!(await isDirectory(dirname(file.path)))) return;
      if (await placeFile(copy, file, join(staging, String(at)))) copied.push(file.path);
    });
  } catch (error) {
    throw isCode(error, "ENOSPC", "EDQUOT") ? noSpaceToCopy() : error;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return copied.toSorted();
}

async function listIgnored({ from, globs, env }: CopyIgnored): Promise<readonly string[]> {
  const end = await runProgram({
    argv: [...LIST, ...globs.map((glob) => `:(top,glob)${glob}`)],
    cwd: from,
    env,
  });
  if (!end.isOk) throw cannotCopy(end.problem);
  // A repository inside this one is listed as a directory.
  return end.stdout.split("\0").filter((path) => path !== "" && !path.endsWith("/"));
}

async function findFiles(from: string, paths: readonly string[]): Promise<readonly Found[]> {
  const isDirectory = createDirectoryCheck(from, false);
  const found: Found[] = [];
  await eachAtMost(AT_ONCE, paths, async (path) => {
    if (!staysInside(from, join(from, path)) || !(await isDirectory(dirname(path)))) return;
    const file = await lookAt(from, path);
    if (file) found.push(file);
  });
  return found;
}

/** Undefined: gone, no file (a socket, a pipe), or a link that leads out of the checkout. */
async function lookAt(from: string, path: string): Promise<Found | undefined> {
  const whole = join(from, path);
  const stats = await lstat(whole).catch(unlessGone);
  if (stats?.isFile()) return { path, bytes: stats.size, link: null };
  if (!stats?.isSymbolicLink()) return undefined;
  const link = await readlink(whole);
  const isInside = !isAbsolute(link) && staysInside(from, resolve(dirname(whole), link));
  return isInside ? { path, bytes: 0, link } : undefined;
}

/** false: there is something already. */
async function placeFile(
  { from, to }: CopyIgnored,
  { path, link }: Found,
  staged: string,
): Promise<boolean> {
  const target = join(to, path);
  if (await lstat(target).catch(unlessGone)) return false;
  if (link === null) {
    const flags = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;
    const isCopied = await copyFile(join(from, path), staged, flags).then(() => true, unlessGone);
    if (!isCopied) return false;
  } else await symlink(link, staged);
  await rename(staged, target);
  return true;
}

/** Whether every part of a path is a directory itself and not a link to one; may make the missing. */
function createDirectoryCheck(root: string, makes: boolean) {
  const known = new Map<string, Promise<boolean>>([[".", Promise.resolve(true)]]);
  async function check(path: string): Promise<boolean> {
    if (!(await isDirectory(dirname(path)))) return false;
    const whole = join(root, path);
    if (makes) await mkdir(whole).catch(unlessThere);
    return (await lstat(whole).catch(unlessGone))?.isDirectory() ?? false;
  }
  function isDirectory(path: string): Promise<boolean> {
    const checked = known.get(path) ?? check(path);
    known.set(path, checked);
    return checked;
  }
  return isDirectory;
}

function staysInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== "" && way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}

function unlessGone(error: unknown): undefined {
  if (!isCode(error, "ENOENT", "ENOTDIR")) throw error;
}

function unlessThere(error: unknown): undefined {
  if (!isCode(error, "EEXIST")) throw error;
}
