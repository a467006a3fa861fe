import { join } from "node:path";
import type { Oid } from "../../app/ports/git.ts";
import { commitTree } from "./commit-tree.ts";
import { copyIndex } from "./copy-index.ts";
import { fieldsOfZ, nameOf, requireOid } from "./fields.ts";
import type { PrivateDirectories } from "./private-directory.ts";
import { requireOwnRef, updateRefs } from "./refs.ts";
import { repositoryGone, worktreeUnusable } from "./refusals.ts";
import { findRepository, gitDirectoryOf, readHead, treeOf } from "./repository.ts";
import { KUROMAJUTSU, type GitShell } from "./shell.ts";
import { openIndex, refresh, stageAll } from "./stage.ts";
import { findEntry, realPath } from "./worktree-entry.ts";

export async function takeSnapshot(
  shell: GitShell,
  directories: PrivateDirectories,
  root: string,
  ref: string,
  at: number,
): Promise<Oid> {
  requireOwnRef(ref);
  const repository = await findRepository(shell, root);
  if (!repository) throw repositoryGone(root);
  const { commonDirectory, head } = repository;
  const temporary = await directories.temporary(commonDirectory);
  try {
    const { tree } = await stageAll(shell, {
      commonDirectory,
      workTree: repository.root,
      index: join(await gitDirectoryOf(shell, repository.root), "index"),
      into: join(temporary.folder, "index"),
      head,
      base: head,
      objects: "storing",
      keepsHidden: true,
      submodules: "links",
    });
    const isClean = head !== null && (await treeOf(shell, commonDirectory, head)) === tree;
    const commit = isClean
      ? head
      : await commitTree(shell, commonDirectory, "storing", {
          tree,
          parents: head === null ? [] : [head],
          message: "Uncommitted work, as an agent begins from it\n",
          author: KUROMAJUTSU,
          at,
        });
    await updateRefs(shell, commonDirectory, [{ ref, to: commit }]);
    return commit;
  } finally {
    await temporary.dispose();
  }
}

export async function previewTree(
  shell: GitShell,
  directories: PrivateDirectories,
  commonDirectory: string,
  given: string,
): Promise<Oid> {
  const path = await realPath(given);
  const entry = await findEntry(commonDirectory, path);
  if (!entry) throw worktreeUnusable(path, "entry_gone");
  const { head } = await readHead(entry.directory, shell);
  const temporary = await directories.temporary(commonDirectory);
  try {
    const { tree } = await stageAll(shell, {
      commonDirectory,
      workTree: path,
      index: join(entry.directory, "index"),
      into: join(temporary.folder, "index"),
      head,
      base: head,
      objects: "outside",
      limits: PREVIEW_LIMITS,
      keepsHidden: false,
      submodules: "links",
    });
    return tree;
  } finally {
    await temporary.dispose();
  }
}

/** A preview is made often and thrown away. */
const PREVIEW_LIMITS = { maxFileBytes: 10 * 1024 * 1024, maxNewFiles: 2_000 };

export async function changedPaths(
  shell: GitShell,
  directories: PrivateDirectories,
  given: string,
  base: Oid,
): Promise<readonly string[]> {
  requireOid(base);
  const path = await realPath(given);
  const repository = await findRepository(shell, path);
  if (!repository || repository.root !== path) throw worktreeUnusable(path, "link_gone");
  const { commonDirectory } = repository;
  const temporary = await directories.temporary(commonDirectory);
  try {
    const into = join(temporary.folder, "index");
    const on = await openIndex(shell, {
      commonDirectory,
      workTree: path,
      into,
      objects: "outside",
    });
    const isThere = await copyIndex(join(await gitDirectoryOf(shell, path), "index"), into);
    if (!isThere) await on(["read-tree", base]);
    await refresh(on);
    const changed = fieldsOfZ(
      await on(["diff-index", "-z", "--name-only", "--ignore-submodules=dirty", base]),
    );
    const untracked = fieldsOfZ(await on(["ls-files", "-o", "-z", "--exclude-standard"]));
    return [...new Set([...changed, ...untracked])].map(nameOf).toSorted();
  } finally {
    await temporary.dispose();
  }
}
