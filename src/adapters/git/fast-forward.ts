import { join } from "node:path";
import type { CheckoutMove, CheckoutRefusal, Oid } from "../../app/ports/git.ts";
import { copyIndex } from "./copy-index.ts";
import { bytesOf, fieldsOfZ, nameOf, requireOid } from "./fields.ts";
import { READ_DRIVERS, withoutDrivers, type Setting } from "./guards.ts";
import type { PrivateDirectories } from "./private-directory.ts";
import { repositoryGone } from "./refusals.ts";
import { findRepository, gitDirectoryOf, isAncestor, readHead } from "./repository.ts";
import { outputOf } from "./run-git.ts";
import type { GitShell } from "./shell.ts";
import { openIndex, refresh } from "./stage.ts";
import { exists } from "./worktree-entry.ts";

/** Files and folders that git keeps while a command waits for the person. */
const UNDER_WAY = [
  "MERGE_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "BISECT_LOG",
  "rebase-merge",
  "rebase-apply",
  "sequencer",
];

/**
 * `git merge --ff-only` in the checkout itself is the only command that moves a checked-out branch,
 * keeps uncommitted work and does nothing at all if that work is in the way.
 */
export async function fastForwardCheckout(
  shell: GitShell,
  directories: PrivateDirectories,
  path: string,
  branch: string,
  from: Oid,
  to: Oid,
): Promise<CheckoutMove> {
  requireOid(from, to);
  const found = await findRepository(shell, path);
  if (!found) throw repositoryGone(path);
  const { commonDirectory, root } = found;
  const directory = await gitDirectoryOf(shell, root);
  for (const name of UNDER_WAY) {
    if (await exists(join(directory, name))) return refused("in_progress");
  }
  if (found.branch !== branch) return refused("other_branch");
  if (found.head === to) return { result: "moved" };
  if (found.head !== from) return { result: "moved_meanwhile", now: found.head };
  if (!(await isAncestor(shell, commonDirectory, from, to))) return refused("not_fast_forward");
  if (await exists(join(directory, "index.lock"))) return refused("locked");

  const changed = await changedBetween(shell, commonDirectory, from, to);
  const checkout = { commonDirectory, root, directory };
  const filtered = await filteredPaths(shell, directories, checkout, to, changed);
  if (filtered.length > 0) return refused("filtered", filtered);
  const inTheWay = await overlap(shell, directories, checkout, from, to, changed);
  if (inTheWay) return refused("overlap", inTheWay);

  const args = [
    "merge",
    "--ff-only",
    "--no-autostash",
    "--no-verify-signatures",
    "--no-stat",
    "-q",
    to,
  ];
  const end = await shell.inRepository(directory, args, {
    workTree: root,
    config: await mergeSettings(shell, commonDirectory, directory, branch),
  });
  const { head } = await readHead(directory, shell);
  if (head === to) return { result: "moved" };
  if (head !== from) return { result: "moved_meanwhile", now: head };
  if (/index\.lock/.test(end.stderr)) return refused("locked");
  return refused("overlap");
}

function refused(reason: CheckoutRefusal, paths: readonly string[] = []): CheckoutMove {
  return { result: "refused", reason, paths: [...new Set(paths)].map(nameOf) };
}

/** The person's line endings, but no filter, and no options that the branch brings along. */
async function mergeSettings(
  shell: GitShell,
  commonDirectory: string,
  directory: string,
  branch: string,
): Promise<Setting[]> {
  const drivers = withoutDrivers(await shell.inRepository(directory, READ_DRIVERS));
  return [
    ...(await shell.fileSettings(commonDirectory)),
    ...drivers,
    [`branch.${branch}.mergeoptions`, ""],
  ];
}

async function changedBetween(
  shell: GitShell,
  commonDirectory: string,
  from: Oid,
  to: Oid,
): Promise<string[]> {
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--name-only", from, to];
  return fieldsOfZ(outputOf({ args }, await shell.outside(commonDirectory, args)));
}

type Checkout = {
  readonly commonDirectory: string;
  readonly root: string;
  readonly directory: string;
};

/**
 * Without its filter, Git LFS would leave pointers in the person's files. The attributes may be those
 * of the new commit, of the checkout or of the repository.
 */
async function filteredPaths(
  shell: GitShell,
  directories: PrivateDirectories,
  { commonDirectory, root, directory }: Checkout,
  to: Oid,
  changed: readonly string[],
): Promise<string[]> {
  const temporary = await directories.temporary(commonDirectory);
  try {
    const index = join(temporary.folder, "index");
    const on = await openIndex(shell, {
      commonDirectory,
      workTree: root,
      into: index,
      objects: "outside",
    });
    await on(["read-tree", to]);
    const input = bytesOf(changed);
    const here = ["check-attr", "-z", "--stdin", "filter"];
    const there = ["check-attr", "--cached", "-z", "--stdin", "filter"];
    return [
      ...filteredOf(await on(there, input)),
      ...filteredOf(
        outputOf(
          { args: here },
          await shell.inRepository(directory, here, { workTree: root, input }),
        ),
      ),
    ];
  } finally {
    await temporary.dispose();
  }
}

/** Fields in threes: path, attribute, value. */
function filteredOf(output: Buffer): string[] {
  const answer = fieldsOfZ(output);
  const filtered: string[] = [];
  for (let at = 0; at + 2 < answer.length; at += 3) {
    const [path = "", , value = ""] = answer.slice(at, at + 3);
    if (!["unspecified", "unset"].includes(value)) filtered.push(path);
  }
  return filtered;
}

/** A dry run on a copy of the index. undefined: nothing is in the way. */
async function overlap(
  shell: GitShell,
  directories: PrivateDirectories,
  { commonDirectory, root, directory }: Checkout,
  from: Oid,
  to: Oid,
  changed: readonly string[],
): Promise<string[] | undefined> {
  const temporary = await directories.temporary(commonDirectory);
  try {
    const into = join(temporary.folder, "index");
    const on = await openIndex(shell, {
      commonDirectory,
      workTree: root,
      into,
      objects: "outside",
    });
    await copyIndex(join(directory, "index"), into);
    await refresh(on);
    try {
      await on(["read-tree", "-n", "-m", "-u", "--exclude-per-directory=.gitignore", from, to]);
      return undefined;
    } catch {
      const edited = fieldsOfZ(await on(["diff-index", "-z", "--name-only", from]));
      const untracked = fieldsOfZ(await on(["ls-files", "-o", "-z"]));
      const touched = new Set([...edited, ...untracked]);
      return changed.filter((path) => touched.has(path));
    }
  } finally {
    await temporary.dispose();
  }
}
