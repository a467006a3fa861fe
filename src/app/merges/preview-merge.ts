import { MAX_LISTED_PATHS } from "../../domain/changes/change.ts";
import type { Core } from "../core.ts";
import type { FileChange, MergeSpec } from "../ports/git.ts";
import { targetIsOurs, targetMissing } from "./merge-refusals.ts";
import type { MergePlan } from "./request-merge.ts";

/** Branches of worktrees; `branchOf` of the domain names them. */
const OUR_BRANCHES = "kuromajutsu/";

export type PreviewedMerge = {
  /** What people approve: what the branch gets if nothing else lands before. */
  readonly shown: Readonly<Record<string, unknown>>;
};

/** Builds the merge on the branch as it is now, without moving anything. */
export async function previewMerge(core: Core, plan: MergePlan): Promise<PreviewedMerge> {
  const { workspace, version, target, mode, message, intoCheckout } = plan;
  const { repository } = workspace;
  if (target.startsWith(OUR_BRANCHES)) throw targetIsOurs(target);
  if (!isBranchName(target)) throw targetMissing(target);
  const onto = await core.git.resolve(repository, `refs/heads/${target}`);
  if (onto === undefined) throw targetMissing(target);
  const built = await core.git.buildMerge(repository, {
    onto,
    change: version.commit,
    base: version.base,
    mode,
    message,
    author: mergeAuthor(workspace.agentId),
    at: core.clock.now(),
  });
  const files = built.built
    ? await core.git.listChanges(repository, onto, built.commit)
    : await core.git.listChanges(repository, version.base, version.commit);
  return {
    shown: {
      mergeId: plan.id,
      agentId: workspace.agentId,
      workspaceId: workspace.id,
      version: version.version,
      change: version.commit,
      target,
      targetCommit: onto,
      mode,
      message,
      intoCheckout,
      isClean: built.built,
      tree: built.built ? built.tree : null,
      conflicts: built.built ? [] : built.conflicts.map(({ path, type }) => ({ path, type })),
      check: core.settings.workspace.check,
      ...shownFiles(files),
      attention: version.attention,
    },
  };
}

/** Git reads `main~1` or `main@{1}` as a commit, but neither is a branch. */
function isBranchName(name: string): boolean {
  return !/[\s~^:?*[\\\p{Cc}]|\.\.|@\{/u.test(name);
}

export type ShownFiles = {
  readonly fileCount: number;
  readonly added: number;
  readonly removed: number;
  /** At most `MAX_LISTED_PATHS`. */
  readonly files: readonly ReturnType<typeof shownFile>[];
};

export function shownFiles(files: readonly FileChange[]): ShownFiles {
  return {
    fileCount: files.length,
    added: sum(files, ({ added }) => added),
    removed: sum(files, ({ removed }) => removed),
    files: files.slice(0, MAX_LISTED_PATHS).map(shownFile),
  };
}

function shownFile({ path, from, status, added, removed }: FileChange) {
  return { path, status, added, removed, ...(from !== null && { from }) };
}

function sum(files: readonly FileChange[], of: (file: FileChange) => number | null): number {
  return files.reduce((total, file) => total + (of(file) ?? 0), 0);
}

/** An address that can never be a person's. */
export function mergeAuthor(agentId: string): MergeSpec["author"] {
  return { name: agentId, email: "agent@kuromajutsu.invalid" };
}
