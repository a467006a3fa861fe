import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isCode } from "../../base/error-code.ts";
import { copyIndex } from "./copy-index.ts";
import { nameOf } from "./fields.ts";
import type { GitShell } from "./shell.ts";
import type { StageSpec } from "./stage.ts";
import { exists } from "./worktree-entry.ts";

type Place = Pick<StageSpec, "commonDirectory" | "workTree" | "into">;

/**
 * The submodules with commits or files that exist only in this worktree. Their git directories are
 * part of the worktree's entry, so git deletes both together.
 */
export async function submodulesWithOwnWork(
  shell: GitShell,
  place: Place,
  paths: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const inside = join(place.workTree, nameOf(path));
    const directory = await gitDirectoryIn(inside);
    if (directory === undefined) continue;
    const hasWork =
      (await hasOwnCommits(shell, directory)) ||
      (await hasOwnFiles(shell, place, inside, directory));
    if (hasWork) found.push(path);
  }
  return found;
}

/** undefined: the submodule is not checked out. */
async function gitDirectoryIn(folder: string): Promise<string | undefined> {
  const link = join(folder, ".git");
  try {
    if ((await stat(link)).isDirectory()) return link;
    const named = /^gitdir: (.*?)\n?$/s.exec(await readFile(link, "utf8"))?.[1];
    return named === undefined ? undefined : resolve(folder, named);
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

/** A git directory that cannot be read may hold anything, so it counts as own work. */
async function hasOwnCommits(shell: GitShell, directory: string): Promise<boolean> {
  if (!(await exists(directory))) return true;
  const args = ["rev-list", "--max-count=1", "HEAD", "--branches", "--not", "--remotes"];
  const { code, stdout } = await shell.inRepository(directory, args);
  return code !== 0 || stdout.length > 0;
}

async function hasOwnFiles(
  shell: GitShell,
  { commonDirectory, into }: Place,
  inside: string,
  directory: string,
): Promise<boolean> {
  const staged = ["diff-index", "--cached", "--quiet", "--no-ext-diff", "HEAD", "--"];
  if ((await shell.inRepository(directory, staged)).code !== 0) return true;
  const index = `${into}.module`;
  if (!(await copyIndex(join(directory, "index"), index))) return true;
  const args = ["ls-files", "-m", "-o", "-z", "--exclude-standard"];
  const config = await shell.fileSettings(commonDirectory);
  const end = await shell.outside(commonDirectory, args, { workTree: inside, index, config });
  return end.code !== 0 || end.stdout.length > 0;
}
