import type { Oid } from "../ports/git.ts";
import { buildChain, type Link } from "./build-chain.ts";
import type { CheckCommit, CheckEnd } from "./check-commits.ts";
import type { MergeRound } from "./merge-round.ts";

export type Passing = {
  /** What may land: the last of these links passed the check. */
  readonly good: readonly Link[];
  /** Each of these makes the check fail. */
  readonly bad: readonly { readonly link: Link; readonly end: CheckEnd }[];
  /** The check fails on the branch itself: none of these links is to blame. */
  readonly branchFails: { readonly links: readonly Link[]; readonly end: CheckEnd } | null;
  /** The end of the last check that passed. */
  readonly end: CheckEnd | null;
};

/**
 * Checks all merges at once. If that fails, finds the first one that makes it fail by bisection,
 * takes it out and goes on with the others. -1 stands for "not even the branch is known to pass".
 */
export async function findPassing(
  round: MergeRound,
  tip: { readonly oid: Oid; readonly tree: Oid },
  links: readonly Link[],
  check: CheckCommit,
): Promise<Passing> {
  const bad: { link: Link; end: CheckEnd }[] = [];
  let chain = links;
  let passing = -1;
  let end: CheckEnd | null = null;
  while (chain.length > Math.max(passing, 0)) {
    const whole = await check(commitOf(chain.at(-1)) ?? tip);
    if (whole.passed) return { good: chain, bad, branchFails: null, end: whole };
    let failing = chain.length;
    let blame = whole;
    while (failing - passing > 1) {
      const middle = Math.floor((passing + failing) / 2);
      const result = await check(commitOf(chain[middle - 1]) ?? tip);
      if (result.passed) [passing, end] = [middle, result];
      else [failing, blame] = [middle, result];
    }
    const culprit = chain[failing - 1];
    if (!culprit) return { good: [], bad, branchFails: { links: chain, end: blame }, end: null };
    bad.push({ link: culprit, end: blame });
    chain = await without(round, chain, failing - 1);
  }
  return { good: chain, bad, branchFails: null, end };
}

function commitOf(link: Link | undefined) {
  return link && { oid: link.commit, tree: link.tree };
}

/** The later ones are built again. One that conflicts now stays queued for the next pass. */
async function without(
  { core }: MergeRound,
  chain: readonly Link[],
  index: number,
): Promise<readonly Link[]> {
  const [kept, culprit, rest] = [chain.slice(0, index), chain[index], chain.slice(index + 1)];
  if (!culprit) return kept;
  const rebuilt = await buildChain(
    core,
    culprit.from,
    rest.map(({ merge }) => merge),
  );
  return [...kept, ...rebuilt.links];
}
