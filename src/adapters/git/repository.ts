import { lstat, realpath } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Oid, Repository } from "../../app/ports/git.ts";
import { isOid, lineOf, requireOid } from "./fields.ts";
import { gitFailed, ownedByAnother } from "./refusals.ts";
import { outputOf, type GitEnd } from "./run-git.ts";
import type { GitShell } from "./shell.ts";

const BRANCHES = "refs/heads/";
const NO_WORKING_TREE = /not a git repository|must be run in a work tree|invalid gitfile format/;

export async function findRepository(
  shell: GitShell,
  directory: string,
): Promise<Repository | undefined> {
  const here = await realpath(directory).catch(() => undefined);
  if (here === undefined || !(await hasGitEntryAbove(here))) return undefined;
  const top = await shell.discover(here, [
    "rev-parse",
    "--path-format=absolute",
    "--show-toplevel",
  ]);
  if (top.code !== 0) {
    if (/dubious ownership|unsafe repository/.test(top.stderr)) throw ownedByAnother(here);
    if (NO_WORKING_TREE.test(top.stderr)) return undefined;
    throw gitFailed(["rev-parse"], top.stderr);
  }
  const root = await realpath(lineOf(top.stdout));
  const common = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
  const found = outputOf({ args: common }, await shell.discover(here, common));
  return {
    commonDirectory: await realpath(lineOf(found)),
    root,
    prefix: relative(root, here),
    ...(await readHead(await gitDirectoryOf(shell, root), shell)),
  };
}

/** Outside repositories no git is needed: it may not even be installed. */
async function hasGitEntryAbove(directory: string): Promise<boolean> {
  const isThere = await lstat(join(directory, ".git")).then(
    () => true,
    () => false,
  );
  const parent = dirname(directory);
  return isThere || (parent !== directory && hasGitEntryAbove(parent));
}

/** The git directory of a checkout: its own index and HEAD are in it. */
export async function gitDirectoryOf(shell: GitShell, root: string): Promise<string> {
  const args = ["rev-parse", "--absolute-git-dir"];
  return realpath(lineOf(outputOf({ args }, await shell.discover(root, args))));
}

export async function readHead(
  gitDirectory: string,
  shell: GitShell,
): Promise<{ readonly head: Oid | null; readonly branch: string | null }> {
  const [commit, name] = await Promise.all([
    shell.inRepository(gitDirectory, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]),
    shell.inRepository(gitDirectory, ["symbolic-ref", "--quiet", "HEAD"]),
  ]);
  const ref = name.code === 0 ? lineOf(name.stdout) : "";
  return {
    head: oidOf(commit) ?? null,
    branch: ref.startsWith(BRANCHES) ? ref.slice(BRANCHES.length) : null,
  };
}

export async function resolveCommit(
  shell: GitShell,
  gitDirectory: string,
  name: string,
): Promise<Oid | undefined> {
  if (name === "" || name.includes("\0")) return undefined;
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  return oidOf(await shell.inRepository(gitDirectory, args));
}

export async function treeOf(shell: GitShell, commonDirectory: string, commit: Oid): Promise<Oid> {
  requireOid(commit);
  const args = ["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`];
  return lineOf(outputOf({ args }, await shell.outside(commonDirectory, args)));
}

export async function isAncestor(
  shell: GitShell,
  commonDirectory: string,
  ancestor: Oid,
  commit: Oid,
): Promise<boolean> {
  requireOid(ancestor, commit);
  const args = ["merge-base", "--is-ancestor", ancestor, commit];
  const end = await shell.outside(commonDirectory, args);
  if (end.code === 0 || end.code === 1) return end.code === 0;
  throw gitFailed(args, end.stderr);
}

function oidOf({ code, stdout }: GitEnd): Oid | undefined {
  const line = lineOf(stdout);
  return code === 0 && isOid(line) ? line : undefined;
}
