import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { WorktreeSpec } from "../../app/ports/git.ts";
import { isCode } from "../../base/error-code.ts";
import type { WorktreeDamage } from "../../domain/workspaces/worktree-damage.ts";

/** What `<common directory>/worktrees/<name>` says about a worktree (gitrepository-layout). */
export type Entry = {
  /** The git directory of the worktree, with its HEAD and index. */
  readonly directory: string;
  /** null: not locked. */
  readonly lock: string | null;
  /** git was killed before it had written all files of the entry. */
  readonly isWhole: boolean;
};

/** git writes it while it makes an entry. */
const INITIALIZING = "initializing";

export function lockReason({ id }: Pick<WorktreeSpec, "id">): string {
  return `kuromajutsu ${id}`;
}

/** An entry at our own path is ours, unless its lock says otherwise. */
export function isOwnLock(entry: Entry, spec: Pick<WorktreeSpec, "id">): boolean {
  return entry.lock === null || [INITIALIZING, lockReason(spec)].includes(entry.lock);
}

/** The path as git stores it: links in the folders above are resolved. */
export async function realPath(path: string): Promise<string> {
  try {
    return join(await realpath(dirname(path)), basename(path));
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}

export async function findEntry(
  commonDirectory: string,
  path: string,
  spec?: Pick<WorktreeSpec, "id">,
): Promise<Entry | undefined> {
  const folder = join(commonDirectory, "worktrees");
  const names = await readdir(folder).catch(nothingIfGone);
  const link = join(path, ".git");
  // git names an entry after its directory, so the first look is nearly always enough.
  const likely = basename(path);
  const sorted = [...(names ?? [])].sort(
    (one, other) => Number(other.startsWith(likely)) - Number(one.startsWith(likely)),
  );
  for (const name of sorted) {
    const directory = join(folder, name);
    const gitdir = await readLine(join(directory, "gitdir"));
    if (gitdir ? resolve(directory, gitdir) === link : await isBegun(directory, spec)) {
      return readEntry(directory);
    }
  }
  return undefined;
}

/** git writes the lock before the path. */
async function isBegun(directory: string, spec?: Pick<WorktreeSpec, "id">): Promise<boolean> {
  return spec !== undefined && (await readLine(join(directory, "locked"))) === lockReason(spec);
}

async function readEntry(directory: string): Promise<Entry> {
  const parts = await Promise.all(
    ["gitdir", "commondir", "HEAD"].map((name) => readLine(join(directory, name))),
  );
  return {
    directory,
    lock: (await readLine(join(directory, "locked"))) ?? null,
    isWhole: parts.every(Boolean),
  };
}

/** undefined: the entry and the `.git` file of the directory name each other. */
export async function findDamage(
  path: string,
  entry: Entry | undefined,
  spec: Pick<WorktreeSpec, "id">,
): Promise<WorktreeDamage | undefined> {
  const isThere = await exists(path);
  if (!entry) return isThere ? "entry_gone" : undefined;
  if (!isOwnLock(entry, spec)) return "not_ours";
  if (!isThere) return "directory_gone";
  const link = await readLine(join(path, ".git"));
  if (link === undefined) return "link_gone";
  const named = /^gitdir: (.*)$/s.exec(link)?.[1] ?? "";
  const target = await realpath(resolve(path, named)).catch(() => undefined);
  if (target !== entry.directory) return "link_elsewhere";
  return undefined;
}

/** The index is written when the checkout is complete. */
export function isCheckedOut({ directory }: Entry): Promise<boolean> {
  return exists(join(directory, "index"));
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => {
      if (isCode(error, "ENOENT", "ENOTDIR", "ELOOP")) return false;
      throw error;
    },
  );
}

async function readLine(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").then((text) => text.replace(/\n$/, ""), nothingIfGone);
}

function nothingIfGone(error: unknown): undefined {
  if (isCode(error, "ENOENT", "ENOTDIR", "EISDIR")) return undefined;
  throw error;
}
