import type { Merge } from "../../domain/merges/merge.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { MergeBuilt, Oid } from "../ports/git.ts";
import { isAsApproved } from "./as-approved.ts";
import type { MergeWorld } from "./merge-round.ts";
import { mergeAuthor } from "./preview-merge.ts";

/** A merge as a commit on top of `from`, which is the branch or the merge before. */
export type Link = {
  readonly merge: Merge;
  readonly from: Oid;
  readonly commit: Oid;
  readonly tree: Oid;
};

export type Chain = {
  readonly links: readonly Link[];
  readonly conflicted: readonly { readonly merge: Merge; readonly conflicts: readonly string[] }[];
  /** On the branch as it is now, these would do something else than people approved. */
  readonly unapproved: readonly Merge[];
  /** Git refused these, each for a reason of its own. */
  readonly refused: readonly { readonly merge: Merge; readonly refusal: Refusal }[];
};

/** Builds the merges one on top of the other, without a checkout. */
export async function buildChain(
  core: MergeWorld,
  onto: Oid,
  merges: readonly Merge[],
): Promise<Chain> {
  const links: Link[] = [];
  const conflicted: { merge: Merge; conflicts: readonly string[] }[] = [];
  const unapproved: Merge[] = [];
  const refused: { merge: Merge; refusal: Refusal }[] = [];
  for (const merge of merges) {
    const from = links.at(-1)?.commit ?? onto;
    try {
      const built = await buildOn(core, from, merge);
      if (!built.built) {
        conflicted.push({ merge, conflicts: built.conflicts.map(({ path }) => path) });
      } else if (await isAsApproved(core, merge, from, built.commit)) {
        links.push({ merge, from, commit: built.commit, tree: built.tree });
      } else if (from === onto) {
        unapproved.push(merge);
      }
      // Else it waits: what it would do depends on whether the merges before it land.
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push({ merge, refusal: error });
    }
  }
  return { links, conflicted, unapproved, refused };
}

export function buildOn(core: MergeWorld, onto: Oid, merge: Merge): Promise<MergeBuilt> {
  return core.git.buildMerge(merge.repository, {
    onto,
    change: merge.change,
    base: merge.base,
    mode: merge.mode,
    message: merge.message,
    author: mergeAuthor(merge.agentId),
    // The same time for every attempt, so that the same merge has the same commit.
    at: merge.queuedAt ?? merge.createdAt,
  });
}
