import type { Git } from "../../app/ports/git.ts";
import type { Variables } from "../../base/allowed-environment.ts";
import { endMarked, isOrphaned } from "../marked-processes.ts";
import { deleteBranch, forgetRefs, keepRef, moveBranch } from "./branches.ts";
import { buildMerge } from "./build-merge.ts";
import { captureWorktree } from "./capture.ts";
import { commitTree } from "./commit-tree.ts";
import { diskUse } from "./disk-use.ts";
import { fastForwardCheckout } from "./fast-forward.ts";
import { fingerprint } from "./fingerprint.ts";
import { giveBundle } from "./give-bundle.ts";
import { listChanges } from "./list-changes.ts";
import { mergeTrees } from "./merge-tree.ts";
import { createPrivateDirectories } from "./private-directory.ts";
import { filePatch, readFileOf } from "./read-files.ts";
import { asRefusal } from "./refusals.ts";
import { remoteUrl } from "./remote-url.ts";
import { removeWorktree } from "./remove-worktree.ts";
import { findRepository, isAncestor, resolveCommit } from "./repository.ts";
import { createRunGit } from "./run-git.ts";
import { createShell, KUROMAJUTSU } from "./shell.ts";
import { changedPaths, previewTree, takeSnapshot } from "./snapshot.ts";
import { takeBundle } from "./take-bundle.ts";
import { createSlots, createTurns } from "./turns.ts";
import { addWorktree, inspectWorktree, prepareIntegration } from "./worktrees.ts";

export type GitOptions = {
  /** A folder of our data directory for private git directories, previews and temporary files. */
  readonly directory: string;
  /** The variables of the daemon; only a few of them reach git. */
  readonly environment: Variables;
  /** The command; `git` on the PATH unless a test says otherwise. */
  readonly program?: string;
};

const CHECKOUTS_AT_ONCE = 3;

export function createGit({ directory, environment, program }: GitOptions): Git {
  const run = createRunGit(environment, program);
  const directories = createPrivateDirectories(directory, run);
  const shell = createShell(run, directories);
  const turns = createTurns();
  // Orphans come only from daemons before this one, so one sweep is enough.
  let swept: Promise<void> | undefined;
  const withoutOrphans = (): Promise<void> => (swept ??= endMarked(isOrphaned));
  const checkouts = createSlots(CHECKOUTS_AT_ONCE);
  const workshop = { shell, turns, checkouts, withoutOrphans };

  return {
    find: explained((from) => findRepository(shell, from)),
    resolve: explained((common, name) => resolveCommit(shell, common, name)),
    snapshot: explained((root, ref, at) => takeSnapshot(shell, directories, root, ref, at)),
    addWorktree: explained((common, spec) => addWorktree(workshop, common, spec)),
    inspectWorktree: explained((common, spec) => inspectWorktree(shell, common, spec)),
    removeWorktree: explained((common, spec, saveAs, confirm) =>
      removeWorktree(workshop, directories, common, { spec, saveAs, confirm }),
    ),
    prepareIntegration: explained((common, path, id, commit) =>
      prepareIntegration(workshop, common, path, id, commit),
    ),
    capture: explained((common, spec) => captureWorktree(workshop, directories, common, spec)),
    changedPaths: explained((path, base) => changedPaths(shell, directories, path, base)),
    previewTree: explained((common, path) => previewTree(shell, directories, common, path)),
    previewCommit: explained((common, tree, parent) => {
      const commit = { tree, parents: [parent], message: "Preview\n", author: KUROMAJUTSU, at: 0 };
      return commitTree(shell, common, "outside", commit);
    }),
    listChanges: explained((common, from, to) => listChanges(shell, common, from, to)),
    filePatch: explained((common, from, to, change, maxBytes) =>
      filePatch(shell, common, from, to, change, maxBytes),
    ),
    readFile: explained((common, commit, path, maxBytes) =>
      readFileOf(shell, common, commit, path, maxBytes),
    ),
    previewMerges: explained((common, pairs) => mergeTrees(shell, common, "outside", pairs)),
    buildMerge: explained((common, spec) => buildMerge(shell, common, spec)),
    moveBranch: explained((common, branch, from, to) =>
      moveBranch(shell, common, branch, from, to),
    ),
    fastForwardCheckout: explained((path, branch, from, to) =>
      fastForwardCheckout(shell, directories, path, branch, from, to),
    ),
    deleteBranch: explained((common, branch, at) => deleteBranch(shell, common, branch, at)),
    keep: explained((common, ref, commit) => keepRef(shell, common, ref, commit)),
    forget: explained((common, refs) => forgetRefs(shell, common, refs)),
    isAncestor: explained((common, ancestor, commit) =>
      isAncestor(shell, common, ancestor, commit),
    ),
    remoteUrl: explained((common) => remoteUrl(shell, common)),
    takeBundle: explained((common, spec, read) =>
      takeBundle(workshop, directories, common, spec, read),
    ),
    giveBundle: explained((common, spec, give) =>
      giveBundle(shell, directories, common, spec, give),
    ),
    fingerprint: explained((common) => fingerprint(shell, common)),
    diskUse: explained(diskUse),
  };
}

/** A full disk or a missing permission meets Node as well as git; both answer with a refusal. */
function explained<Args extends readonly unknown[], Answer>(
  method: (...args: Args) => Promise<Answer>,
): (...args: Args) => Promise<Answer> {
  return async (...args) => {
    try {
      return await method(...args);
    } catch (error) {
      throw asRefusal(error);
    }
  };
}
