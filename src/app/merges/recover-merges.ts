import type { Merge } from "../../domain/merges/merge.ts";
import type { Oid } from "../ports/git.ts";
import {
  giveUpIntents,
  isIntended,
  landMerges,
  settleLanded,
  splitByBranch,
  type Intended,
} from "./land-merges.ts";
import { listAllMerges } from "./list-merges.ts";
import { isCarriedOutHere, requireRound, type MergeRound, type MergeWorld } from "./merge-round.ts";
import { updateEachMerge } from "./update-merges.ts";

/** What an earlier daemon, or an earlier round that failed, left in the middle. */
export async function recoverMerges(round: MergeRound): Promise<void> {
  const { core } = round;
  const open = await queuedOf(round);
  for (const merges of byTarget(open.filter(isIntended))) await recoverIntents(round, merges);
  const checking = (await queuedOf(round)).filter(({ status }) => status === "checking");
  await updateEachMerge(
    core,
    checking.map((merge) => ({ merge, event: "requeued" as const })),
  );
}

export async function queuedOf({
  core,
  repository,
}: Pick<MergeRound, "core" | "repository">): Promise<readonly Merge[]> {
  const queued = await core.store.listQueuedMerges();
  return queued.filter((merge) => merge.repository === repository && isCarriedOutHere(core, merge));
}

/** The branch is where it was: land. It holds the result: landed. Else: build again. */
async function recoverIntents(round: MergeRound, merges: readonly Intended[]): Promise<void> {
  const { core } = round;
  const { landed, others, tip } = await splitByBranch(core, merges);
  await settleLanded(core, landed);
  if (isChainOn(tip, others)) await landMerges({ ...round, batch: others }, others);
  else await giveUpIntents(core, others);
}

/** These were checked together, one on top of the other. */
function isChainOn(tip: Oid | undefined, merges: readonly Intended[]): boolean {
  return merges.every(({ from }, index) => from === (merges[index - 1]?.result ?? tip));
}

/** Merges that a person has to land: they may have done so, or the branch may have moved on. */
export async function reviewHeld(round: MergeRound): Promise<void> {
  const { core, repository } = round;
  const held = (await listAllMerges(core.store, { statuses: ["ready_to_land"] }))
    .filter((merge) => merge.repository === repository && isCarriedOutHere(core, merge))
    .toReversed();
  for (const merges of byTarget(held.filter(isIntended))) {
    const { landed, others, tip } = await splitByBranch(core, merges);
    await settleLanded(core, landed);
    for (const merge of others) {
      requireRound({ ...round, batch: [merge] });
      await reviewOne(core, merge, tip);
    }
  }
  for (const merge of held.filter((each) => !isIntended(each))) {
    const tip = await core.git.resolve(repository, `refs/heads/${merge.target}`);
    if (tip !== undefined) await giveUpIntents(core, [merge]);
  }
}

async function reviewOne(core: MergeWorld, merge: Intended, tip: Oid | undefined): Promise<void> {
  const { repository, target, from, result } = merge;
  const isKept = (await core.git.resolve(repository, result)) !== undefined;
  const fits = tip !== undefined && isKept && (await core.git.isAncestor(repository, tip, result));
  if (!fits) return giveUpIntents(core, [merge]);
  if (tip !== from) return;
  // The person has left the branch: it can move now.
  const move = await core.git.moveBranch(repository, target, from, result);
  if (move.result === "moved") await settleLanded(core, [merge]);
}

function byTarget<Kind extends Merge>(merges: readonly Kind[]): readonly (readonly Kind[])[] {
  return [...Map.groupBy(merges, ({ target }) => target).values()];
}
