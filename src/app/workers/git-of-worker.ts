import { Refusal } from "../../domain/refusal.ts";
import type { Git, WorktreeSpec } from "../ports/git.ts";
import { type AddedWorktree, NotFetched, type WorkerWorktrees } from "../ports/worker-worktrees.ts";

/**
 * Git for the agents of a worker: worktrees are on its disk, and everything else is in the repository
 * here. Captured commits arrive as a bundle and not through the remote, where they would start what
 * people have not approved.
 */
export function gitOfWorker(here: Git, worktrees: WorkerWorktrees): Git {
  /**
   * Results of stages, changes of agents and uncommitted work are in no remote. They are sent only to
   * a worker that has fetched a part of the same history: it may read the repository.
   */
  async function addWithBase(
    repository: string,
    url: string,
    spec: WorktreeSpec,
  ): Promise<AddedWorktree> {
    const added = await worktrees.add(url, spec);
    if (added.isAdded || added.has.length === 0) return added;
    const isSent = await here
      .giveBundle(repository, { commit: spec.base, has: added.has }, (bundle) =>
        worktrees.sendBase(spec.path, spec.base, bundle),
      )
      .catch(asNotFetched);
    return isSent ? worktrees.add(url, spec) : added;
  }

  return {
    ...here,
    async addWorktree(repository, spec) {
      const url = await here.remoteUrl(repository).catch(asNotFetched);
      if (url === undefined) throw new NotFetched("The repository has no remote.");
      const { isAdded } = await addWithBase(repository, url, spec);
      if (!isAdded) throw new NotFetched(null);
      // Shows the branch, and keeps the base from being collected as garbage.
      await here.moveBranch(repository, spec.branch, null, spec.base);
    },
    inspectWorktree: (_repository, spec) => worktrees.inspect(spec),
    async capture(repository, spec) {
      const { bytes, attention, commit } = await worktrees.capture(spec);
      const { branch, base, path } = spec.worktree;
      const { tree } = await here.takeBundle(
        repository,
        { branch, base, commit, keepAs: spec.keepAs, bytes },
        (offset) => worktrees.readBundle(path, offset),
      );
      return { commit, tree, attention };
    },
    changedPaths: (path, base) => worktrees.changedPaths(path, base),
    diskUse: (path) => worktrees.diskUse(path),
    fingerprint: (_repository, path = "") => worktrees.fingerprint(path),
    removeWorktree: () => Promise.reject(new Error("A worker removes its worktrees itself.")),
  };
}

/** The repository is not on this server, or its commits cannot be sent: another host may do it. */
function asNotFetched(error: unknown): never {
  throw error instanceof Refusal ? new NotFetched(error.message) : error;
}
