import type { Isolation } from "./workspace.ts";

/** What decides whether an agent gets a worktree of its own. */
export type IsolationCandidate = {
  readonly isolation: Isolation;
  /** The top of the working tree it was asked to work in; null: not in a repository. */
  readonly tree: string | null;
  readonly isWriter: boolean;
  /** The stage of a sequential plan; null: all run at the same time. */
  readonly stageIndex: number | null;
  /** The caller named where the work begins, which needs a worktree. */
  readonly hasBase: boolean;
};

/**
 * `auto` isolates a writer if another writer could work in the same tree at the same time. If that
 * is so for one stage of a plan, every agent of the plan is isolated: a later stage must see what
 * the earlier ones wrote, also if it only reads.
 */
export function decideIsolation(
  candidates: readonly IsolationCandidate[],
  hasOtherWriter: (tree: string) => boolean,
): readonly boolean[] {
  const alone = candidates.map((each) => isIsolatedAlone(each, candidates, hasOtherWriter));
  return candidates.map(
    (each, index) => alone[index] === true || followsPlan(each, candidates, alone),
  );
}

function isIsolatedAlone(
  candidate: IsolationCandidate,
  all: readonly IsolationCandidate[],
  hasOtherWriter: (tree: string) => boolean,
): boolean {
  const { isolation, tree, isWriter, hasBase, stageIndex } = candidate;
  if (isolation === "worktree" || hasBase) return true;
  if (isolation === "none" || tree === null || !isWriter) return false;
  const hasSibling = all.some(
    (other) =>
      other !== candidate &&
      other.isWriter &&
      other.tree === tree &&
      other.stageIndex === stageIndex,
  );
  return hasSibling || hasOtherWriter(tree);
}

function followsPlan(
  { isolation, tree, isWriter, stageIndex }: IsolationCandidate,
  all: readonly IsolationCandidate[],
  alone: readonly boolean[],
): boolean {
  if (isolation !== "auto" || tree === null || stageIndex === null) return false;
  // The first stage has nothing to see of others.
  if (!isWriter && stageIndex === 0) return false;
  return all.some((other, index) => alone[index] === true && other.tree === tree);
}
