import type { MergeBuilt, MergeConflict, MergeSpec, Oid } from "../../app/ports/git.ts";
import { commitTree } from "./commit-tree.ts";
import { lineOf, requireOid } from "./fields.ts";
import { mergeTrees } from "./merge-tree.ts";
import { isAncestor, treeOf } from "./repository.ts";
import { outputOf } from "./run-git.ts";
import { KUROMAJUTSU, type GitShell } from "./shell.ts";

class Conflicted extends Error {
  readonly conflicts: readonly MergeConflict[];
  constructor(conflicts: readonly MergeConflict[]) {
    super("The change conflicts.");
    this.conflicts = conflicts;
  }
}

/** Builds the result as objects only: no index, no file and no ref changes. */
export async function buildMerge(
  shell: GitShell,
  commonDirectory: string,
  spec: MergeSpec,
): Promise<MergeBuilt> {
  requireOid(spec.onto, spec.change, spec.base);
  const builder = createBuilder(shell, commonDirectory, spec);
  try {
    const commit = await builder[spec.mode]();
    return { built: true, commit, tree: await treeOf(shell, commonDirectory, commit) };
  } catch (error) {
    if (error instanceof Conflicted) return { built: false, conflicts: error.conflicts };
    throw error;
  }
}

function createBuilder(shell: GitShell, commonDirectory: string, spec: MergeSpec) {
  const { onto, change, base, message, author, at } = spec;

  async function mergedTree(ours: Oid, theirs: Oid): Promise<Oid> {
    const [merged] = await mergeTrees(shell, commonDirectory, "storing", [{ ours, theirs }]);
    if (!merged) throw new Error("git merge-tree answered nothing.");
    if (!merged.clean) throw new Conflicted(merged.conflicts);
    return merged.tree;
  }

  /** What `from` to `to` changes, applied to `target`. git 2.39 takes no merge base, so a commit with the files of `target` on top of `from` makes it the merge base. */
  async function appliedTree(target: Oid, from: Oid, to: Oid): Promise<Oid> {
    const tree = await treeOf(shell, commonDirectory, target);
    const stand = { tree, parents: [from], message: "", author: KUROMAJUTSU, at };
    return mergedTree(await commitTree(shell, commonDirectory, "storing", stand), to);
  }

  async function commitOr(target: Oid, tree: Oid, parents: readonly Oid[]): Promise<Oid> {
    if ((await treeOf(shell, commonDirectory, target)) === tree) return target;
    return commitTree(shell, commonDirectory, "storing", { tree, parents, message, author, at });
  }

  /** false: the base is a snapshot of uncommitted work, or the target was rewritten since. */
  const isBaseMerged = (): Promise<boolean> => isAncestor(shell, commonDirectory, base, onto);

  async function squash(): Promise<Oid> {
    const tree = (await isBaseMerged())
      ? await mergedTree(onto, change)
      : await appliedTree(onto, base, change);
    return commitOr(onto, tree, [onto]);
  }

  async function merge(): Promise<Oid> {
    if (await isAncestor(shell, commonDirectory, change, onto)) return onto;
    const theirs = (await isBaseMerged()) ? change : await replay(await forkPoint());
    const tree = await mergedTree(onto, theirs);
    if (theirs === onto) return onto;
    const parents = [onto, theirs];
    return commitTree(shell, commonDirectory, "storing", { tree, parents, message, author, at });
  }

  /** Where the snapshot left the history of the target: a merge must not bring it in as a parent. */
  async function forkPoint(): Promise<Oid> {
    const { code, stdout } = await shell.outside(commonDirectory, ["merge-base", base, onto]);
    return code === 0 ? (lineOf(stdout).split("\n")[0] ?? onto) : onto;
  }

  async function rebase(): Promise<Oid> {
    const isLinear = (await list("--merges")).length === 0;
    return isLinear ? replay(onto) : squash();
  }

  async function list(...more: readonly string[]): Promise<string[]> {
    const range = ["--reverse", "--topo-order", change, `^${base}`, `^${onto}`];
    const args = ["rev-list", ...more, ...range];
    const text = lineOf(outputOf({ args }, await shell.outside(commonDirectory, args)));
    return text === "" ? [] : text.split("\n");
  }

  /** The commits of the change on top of another commit, with their authors and messages. */
  async function replay(target: Oid): Promise<Oid> {
    let tip = target;
    for (const commit of await list("--no-merges")) {
      const tree = await appliedTree(tip, await parentOf(commit), commit);
      if (tree === (await treeOf(shell, commonDirectory, tip))) continue;
      tip = await commitTree(shell, commonDirectory, "storing", {
        tree,
        parents: [tip],
        at,
        ...(await describe(commit)),
      });
    }
    return tip;
  }

  async function parentOf(commit: Oid): Promise<Oid> {
    const args = ["rev-parse", "--verify", "--end-of-options", `${commit}^1`];
    return lineOf(outputOf({ args }, await shell.outside(commonDirectory, args)));
  }

  async function describe(commit: Oid) {
    const args = ["show", "-s", "--no-show-signature", "--format=%an%x00%ae%x00%at%x00%B", commit];
    const text = outputOf({ args }, await shell.outside(commonDirectory, args)).toString("utf8");
    const [name = "", email = "", seconds = "0", body = ""] = text.split("\0");
    return {
      message: `${body.trimEnd()}\n`,
      // git refuses to commit without a name.
      author: name === "" ? author : { name, email },
      env: { GIT_AUTHOR_DATE: `@${seconds} +0000` },
    };
  }

  return { squash, merge, rebase };
}
