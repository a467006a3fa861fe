import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BranchMove, Oid } from "../../app/ports/git.ts";
import { fieldsOfZ, lineOf, requireOid } from "./fields.ts";
import { branchRef, requireOwnBranch, requireOwnRef, updateRefs } from "./refs.ts";
import { resolveCommit } from "./repository.ts";
import { outputOf } from "./run-git.ts";
import type { GitShell } from "./shell.ts";

export async function moveBranch(
  shell: GitShell,
  commonDirectory: string,
  branch: string,
  from: Oid | null,
  to: Oid,
): Promise<BranchMove> {
  requireOid(to, ...(from === null ? [] : [from]));
  const path = await findCheckout(shell, commonDirectory, branch);
  if (path !== undefined) return { result: "checked_out", path };
  const ref = branchRef(branch);
  const isMoved = await updateRefs(shell, commonDirectory, [{ ref, from, to }]);
  if (isMoved) return { result: "moved" };
  return {
    result: "moved_meanwhile",
    now: (await resolveCommit(shell, commonDirectory, ref)) ?? null,
  };
}

export async function deleteBranch(
  shell: GitShell,
  commonDirectory: string,
  branch: string,
  at: Oid,
): Promise<boolean> {
  requireOid(at);
  requireOwnBranch(branch);
  if ((await findCheckout(shell, commonDirectory, branch)) !== undefined) return false;
  return updateRefs(shell, commonDirectory, [{ ref: branchRef(branch), from: at, to: null }]);
}

export async function keepRef(
  shell: GitShell,
  commonDirectory: string,
  ref: string,
  commit: Oid,
): Promise<void> {
  requireOwnRef(ref);
  await updateRefs(shell, commonDirectory, [{ ref, to: commit }]);
}

export async function forgetRefs(
  shell: GitShell,
  commonDirectory: string,
  refs: readonly string[],
): Promise<void> {
  requireOwnRef(...refs);
  const args = ["for-each-ref", "--format=%(refname)", ...refs];
  if (refs.length === 0) return;
  const listed = lineOf(outputOf({ args }, await shell.inRepository(commonDirectory, args)));
  // A pattern also names the refs below it.
  const there = new Set(listed.split("\n"));
  const updates = refs.filter((ref) => there.has(ref)).map((ref) => ({ ref, to: null }));
  await updateRefs(shell, commonDirectory, updates);
}

/** The working tree that has the branch checked out, or rebases or bisects it. */
export async function findCheckout(
  shell: GitShell,
  commonDirectory: string,
  branch: string,
): Promise<string | undefined> {
  const args = ["worktree", "list", "--porcelain", "-z"];
  const listed = fieldsOfZ(outputOf({ args }, await shell.inRepository(commonDirectory, args)));
  let path = "";
  for (const field of listed) {
    if (field.startsWith("worktree "))
      path = Buffer.from(field.slice(9), "latin1").toString("utf8");
    const name = Buffer.from(field, "latin1").toString("utf8");
    if (name === `branch ${branchRef(branch)}`) return path;
  }
  return findUnderWay(commonDirectory, branch);
}

/** During a rebase or bisect HEAD is detached, and the branch comes back when it ends. */
async function findUnderWay(commonDirectory: string, branch: string): Promise<string | undefined> {
  const names = await readdir(join(commonDirectory, "worktrees")).catch(() => []);
  const directories = [
    commonDirectory,
    ...names.map((name) => join(commonDirectory, "worktrees", name)),
  ];
  for (const directory of directories) {
    for (const file of ["rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"]) {
      const text = (await readFile(join(directory, file), "utf8").catch(() => "")).trim();
      if (text !== branch && text !== branchRef(branch)) continue;
      const link = await readFile(join(directory, "gitdir"), "utf8").catch(() => directory);
      return dirname(link.trim());
    }
  }
  return undefined;
}
