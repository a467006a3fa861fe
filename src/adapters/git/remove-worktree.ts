import { chmod, lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Oid, WorktreeSpec } from "../../app/ports/git.ts";
import { isCode } from "../../base/error-code.ts";
import { commitTree } from "./commit-tree.ts";
import { requireOid } from "./fields.ts";
import type { PrivateDirectories } from "./private-directory.ts";
import { branchRef, requireOwnBranch, requireOwnRef, updateRefs } from "./refs.ts";
import { gitFailed, worktreeUnusable } from "./refusals.ts";
import { readHead, resolveCommit, treeOf } from "./repository.ts";
import { KUROMAJUTSU } from "./shell.ts";
import { stageAll } from "./stage.ts";
import {
  exists,
  findEntry,
  isCheckedOut,
  isOwnLock,
  realPath,
  type Entry,
} from "./worktree-entry.ts";
import type { Workshop } from "./worktrees.ts";

const ATTEMPTS = 5;

type Removal = {
  readonly spec: WorktreeSpec;
  readonly saveAs: string;
  readonly confirm?: (() => Promise<void>) | undefined;
};

/**
 * Save, move, forget, delete. Each step can be repeated: a killed process leaves the files where they
 * are, whole in the trash, or saved. A directory that is being deleted is never saved.
 */
export async function removeWorktree(
  workshop: Workshop,
  directories: PrivateDirectories,
  commonDirectory: string,
  { spec: given, saveAs, confirm }: Removal,
): Promise<void> {
  requireOid(given.base);
  requireOwnBranch(given.branch);
  requireOwnRef(saveAs);
  await workshop.withoutOrphans();
  const spec = { ...given, path: await realPath(given.path) };
  await workshop.turns(`path ${spec.path}`, async () => {
    await confirm?.();
    const entry = await findEntry(commonDirectory, spec.path, spec);
    if (entry && !isOwnLock(entry, spec)) throw worktreeUnusable(spec.path, "not_ours");
    if (await exists(spec.path)) {
      // A directory that git does not know may hold anything.
      if (!entry) throw worktreeUnusable(spec.path, "entry_gone");
      await save(workshop, directories, commonDirectory, spec, entry, saveAs);
      await moveToTrash(spec);
    }
    if (entry) await forget(workshop, commonDirectory, spec, entry);
    await emptyTrash(spec);
  });
}

async function save(
  { shell }: Workshop,
  directories: PrivateDirectories,
  commonDirectory: string,
  spec: WorktreeSpec,
  entry: Entry,
  saveAs: string,
): Promise<void> {
  const before = await resolveCommit(shell, commonDirectory, saveAs);
  const head = (await readHead(entry.directory, shell)).head;
  const tip = await resolveCommit(shell, commonDirectory, branchRef(spec.branch));
  const parent = head ?? tip ?? spec.base;
  // Half a checkout of the base: nothing of an agent is in it.
  const commit = (await isCheckedOut(entry))
    ? await commitFiles(shell, directories, commonDirectory, spec, entry, { parent, before })
    : (before ?? parent);
  await updateRefs(shell, commonDirectory, [{ ref: saveAs, to: commit }]);
}

async function commitFiles(
  shell: Workshop["shell"],
  directories: PrivateDirectories,
  commonDirectory: string,
  spec: WorktreeSpec,
  entry: Entry,
  { parent, before }: { readonly parent: Oid; readonly before: Oid | undefined },
): Promise<Oid> {
  const temporary = await directories.temporary(commonDirectory);
  try {
    const { tree } = await stageAll(shell, {
      commonDirectory,
      workTree: spec.path,
      index: join(entry.directory, "index"),
      into: join(temporary.folder, "index"),
      head: parent,
      base: spec.base,
      objects: "storing",
      keepsHidden: false,
      submodules: "saved",
    });
    const known = before ?? parent;
    if ((await treeOf(shell, commonDirectory, known)) === tree) return known;
    return await commitTree(shell, commonDirectory, "storing", {
      tree,
      // A worktree that was made again may be removed a second time: nothing of the first is lost.
      parents: before === undefined ? [parent] : [parent, before],
      message: `What the worktree ${spec.id} held\n`,
      author: KUROMAJUTSU,
      at: Date.now(),
    });
  } finally {
    await temporary.dispose();
  }
}

function trashOf({ path }: WorktreeSpec): string {
  return join(dirname(path), ".trash");
}

/** A rename is one step; a deletion of many files is not. */
async function moveToTrash(spec: WorktreeSpec): Promise<void> {
  const trash = trashOf(spec);
  await mkdir(trash, { recursive: true, mode: 0o700 });
  for (let n = 0; ; n++) {
    const target = join(trash, `${basename(spec.path)}.${n}`);
    if (await exists(target)) continue;
    await rename(spec.path, target);
    return;
  }
}

async function emptyTrash(spec: WorktreeSpec): Promise<void> {
  const trash = trashOf(spec);
  const names = await readdir(trash).catch(() => []);
  for (const name of names) {
    if (name.slice(0, name.lastIndexOf(".")) !== basename(spec.path)) continue;
    await removeAll(join(trash, name));
  }
}

/** Folders without write permission, as some build tools make them, are opened first. */
async function removeAll(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (!isCode(error, "EACCES", "EPERM")) throw error;
    await openFolders(path);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function openFolders(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) return;
  await chmod(path, 0o700);
  for (const name of await readdir(path)) await openFolders(join(path, name));
}

/** Never `git worktree prune`: it would also forget worktrees of the user on disks that are not mounted. */
async function forget(
  { shell, turns }: Workshop,
  commonDirectory: string,
  spec: WorktreeSpec,
  entry: Entry,
): Promise<void> {
  await turns(commonDirectory, async () => {
    const args = ["worktree", "remove", "--force", "--force", spec.path];
    for (let attempt = 1; ; attempt++) {
      const { code, stderr } = entry.isWhole
        ? await shell.inRepository(commonDirectory, args, { mayBeKilled: true })
        : { code: 1, stderr: "" };
      if (code === 0 || !(await exists(entry.directory))) return;
      if (attempt < ATTEMPTS && entry.isWhole) continue;
      if (await exists(spec.path)) throw gitFailed(args, stderr);
      // git does not know an entry that was only half written.
      await rm(entry.directory, { recursive: true, force: true });
      return;
    }
  });
}
