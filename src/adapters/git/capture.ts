import { copyFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Capture, CaptureProblem, CaptureSpec, Oid } from "../../app/ports/git.ts";
import { commitTree } from "./commit-tree.ts";
import { requireOid } from "./fields.ts";
import type { PrivateDirectories } from "./private-directory.ts";
import { branchRef, requireOwnBranch, requireOwnRef, updateRefs } from "./refs.ts";
import { movedMeanwhile, worktreeUnusable } from "./refusals.ts";
import { isAncestor, readHead, resolveCommit, treeOf } from "./repository.ts";
import type { GitShell } from "./shell.ts";
import { stageAll } from "./stage.ts";
import { findDamage, findEntry, realPath, type Entry } from "./worktree-entry.ts";
import type { Workshop } from "./worktrees.ts";

const ATTEMPTS = 3;

/** The entry of a worktree that can be used. */
async function requireEntry(
  commonDirectory: string,
  path: string,
  spec: { readonly id: string },
): Promise<Entry> {
  const entry = await findEntry(commonDirectory, path, spec);
  const damage = await findDamage(path, entry, spec);
  if (damage !== undefined || !entry) throw worktreeUnusable(path, damage ?? "missing");
  return entry;
}

export async function captureWorktree(
  { shell, turns, withoutOrphans }: Workshop,
  directories: PrivateDirectories,
  commonDirectory: string,
  spec: CaptureSpec,
): Promise<Capture> {
  requireOid(spec.worktree.base);
  requireOwnBranch(spec.worktree.branch);
  requireOwnRef(spec.keepAs);
  await withoutOrphans();
  const path = await realPath(spec.worktree.path);
  return turns(`path ${path}`, () =>
    captureInTurn(shell, directories, commonDirectory, path, spec),
  );
}

async function captureInTurn(
  shell: GitShell,
  directories: PrivateDirectories,
  commonDirectory: string,
  path: string,
  spec: CaptureSpec,
): Promise<Capture> {
  const entry = await requireEntry(commonDirectory, path, spec.worktree);
  const temporary = await directories.temporary(commonDirectory);
  try {
    const into = join(temporary.folder, "index");
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const head = await readHead(entry.directory, shell);
      const tip = await resolveCommit(shell, commonDirectory, branchRef(spec.worktree.branch));
      const staged = await stageAll(shell, {
        commonDirectory,
        workTree: path,
        index: join(entry.directory, "index"),
        into,
        head: head.head ?? tip ?? spec.worktree.base,
        base: spec.worktree.base,
        objects: "storing",
        limits: spec.limits,
        keepsHidden: false,
        submodules: "reported",
      });
      const now = { ...head, tip, tree: staged.tree };
      const commit = await commitOnTop(shell, commonDirectory, spec, now);
      const isMoved = await updateRefs(shell, commonDirectory, [
        { ref: branchRef(spec.worktree.branch), from: tip ?? null, to: commit },
        { ref: spec.keepAs, to: commit },
      ]);
      if (!isMoved) continue;
      const isOnBranch = head.branch === spec.worktree.branch;
      if (isOnBranch) await installIndex(into, entry);
      const moved: CaptureProblem[] = isOnBranch
        ? []
        : [{ type: "other_branch", branch: head.branch }];
      return { commit, tree: staged.tree, attention: [...staged.problems, ...moved] };
    }
  } finally {
    await temporary.dispose();
  }
  throw movedMeanwhile(spec.worktree.branch);
}

type Now = { readonly head: Oid | null; readonly tip: Oid | undefined; readonly tree: Oid };

/** The commit that the branch has to be at; an existing one if nothing is uncommitted. */
async function commitOnTop(
  shell: GitShell,
  commonDirectory: string,
  spec: CaptureSpec,
  { head, tip = spec.worktree.base, tree }: Now,
): Promise<Oid> {
  // The agent's own commits stay, if they are on top of the branch. Those of another branch are not
  // ours to move: then only the files are taken.
  const isAhead =
    head !== null && head !== tip && (await isAncestor(shell, commonDirectory, tip, head));
  const parent = isAhead ? head : tip;
  if ((await treeOf(shell, commonDirectory, parent)) === tree) return parent;
  const { message, author, at } = spec;
  return commitTree(shell, commonDirectory, "storing", {
    tree,
    parents: [parent],
    message,
    author,
    at,
  });
}

/**
 * The branch has moved under the worktree, so its index must follow: otherwise git would show the
 * change as a staged reversal. The agent is not at work, so a lock there was left by a killed git.
 */
async function installIndex(from: string, { directory }: Entry): Promise<void> {
  const half = join(directory, "index.kuromajutsu");
  await copyFile(from, half);
  await rename(half, join(directory, "index"));
  await rm(join(directory, "index.lock"), { force: true });
}
