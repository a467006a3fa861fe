import { mergeRef, type Merge } from "../../domain/merges/merge.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { Oid } from "../ports/git.ts";
import { buildChain, buildOn, type Chain, type Link } from "./build-chain.ts";
import { CheckSetupFailed, createCheck, type CheckEnd } from "./check-commits.ts";
import { findPassing, type Passing } from "./find-passing.ts";
import { isIntended, landMerges, settleLanded } from "./land-merges.ts";
import { requireRound, type MergeRound, type MergeWorld } from "./merge-round.ts";
import { updateEachMerge, updateMerges, type MergeChange } from "./update-merges.ts";

export type Refused = { readonly merge: Merge; readonly refusal: Refusal };

/**
 * Takes approved merges of one branch as far as they get now. Returns those that git refused; all
 * others have landed, failed, are held back, or stay queued for the next pass.
 */
export async function mergeBatch(
  round: MergeRound,
  batch: readonly Merge[],
): Promise<readonly Refused[]> {
  const { core, repository } = round;
  const target = batch[0]?.target ?? "";
  const tip = await core.git.resolve(repository, `refs/heads/${target}`);
  if (tip === undefined) {
    const changes = { problem: { type: "target_gone" as const, target }, from: null, result: null };
    await updateEachMerge(
      core,
      batch.map((merge) => ({ merge, event: "held_back" as const, changes })),
    );
    return [];
  }
  const chain = await buildChain(core, tip, batch);
  await settleConflicts(round, tip, chain);
  await endUnapproved(round, chain);
  const links = await landEmpty(round, tip, chain.links);
  if (links.length > 0) await checkAndLand(round, tip, links);
  return chain.refused;
}

/** A merge that conflicts only with another one of the batch waits until that one has landed. */
async function settleConflicts(
  { core }: MergeRound,
  tip: Oid,
  { links, conflicted }: Chain,
): Promise<void> {
  const changes: MergeChange[] = [];
  for (const { merge, conflicts } of conflicted) {
    if (links.length > 0 && (await buildOn(core, tip, merge)).built) continue;
    changes.push({
      merge,
      event: "conflicted",
      changes: {
        conflicts,
        problem: { type: "conflicts", target: merge.target, onto: tip },
      },
    });
  }
  await updateEachMerge(core, changes);
}

/** People have not seen what would land now: they are asked again, with a new preview. */
async function endUnapproved(
  { core, repository }: MergeRound,
  { unapproved }: Chain,
): Promise<void> {
  if (unapproved.length === 0) return;
  const endedAt = core.clock.now();
  await updateEachMerge(
    core,
    unapproved.map((merge) => ({
      merge,
      event: "cancelled" as const,
      changes: { endedAt, problem: { type: "not_as_approved" as const, target: merge.target } },
    })),
  );
  // It may have waited for a checkout before.
  await core.git.forget(
    repository,
    unapproved.map(({ id }) => mergeRef(id)),
  );
}

/** The branch has the first changes already: there is nothing to move for them. */
async function landEmpty(
  { core }: MergeRound,
  tip: Oid,
  links: readonly Link[],
): Promise<readonly Link[]> {
  const isEmpty = ({ commit }: Link) => commit === tip;
  const changes = { from: tip, result: tip, problem: null };
  const stored = await updateMerges(
    core,
    links.filter(isEmpty).map(({ merge }) => ({ merge, event: "requeued" as const, changes })),
  );
  if (stored) await settleLanded(core, stored);
  return links.filter((link) => !isEmpty(link));
}

/** A commit merged with itself is its own tree. */
async function treeOf(core: MergeWorld, repository: string, oid: Oid): Promise<Oid> {
  const [preview] = await core.git.previewMerges(repository, [{ ours: oid, theirs: oid }]);
  if (!preview?.clean) throw new Error(`The commit ${oid} has no tree.`);
  return preview.tree;
}

async function checkAndLand(round: MergeRound, tip: Oid, links: readonly Link[]): Promise<void> {
  const { core, repository } = round;
  const command = core.settings.workspace.check;
  if (command === null) return land(round, links, null);
  const checking = await begin(round, links);
  if (!checking) return;
  const workspace = await core.store.getWorkspace(checking[0]?.merge.workspaceId ?? "");
  const check = createCheck(round, command, workspace?.source ?? repository);
  try {
    const base = { oid: tip, tree: await treeOf(core, repository, tip) };
    const passing = await findPassing(round, base, checking, check);
    await settleFailed(round, passing);
    await land(round, passing.good, passing.end);
  } catch (error) {
    if (!(error instanceof CheckSetupFailed)) throw error;
    const bad = checking.map((link) => ({ link, end: error.end }));
    await settleFailed(round, { good: [], bad, branchFails: null, end: null });
  }
}

/** undefined: a person changed one of them meanwhile. */
async function begin(
  { core }: MergeRound,
  links: readonly Link[],
): Promise<readonly Link[] | undefined> {
  const stored = await updateMerges(
    core,
    links.map(({ merge }) => ({
      merge,
      event: "check_started" as const,
      changes: { problem: null },
    })),
  );
  return stored && links.flatMap((link, index) => withMerge(link, stored[index]));
}

function withMerge(link: Link, merge: Merge | undefined): Link[] {
  return merge ? [{ ...link, merge }] : [];
}

async function settleFailed({ core }: MergeRound, { bad, branchFails }: Passing): Promise<void> {
  const blamed = bad.map(({ link, end }) => failed(link, end));
  const blameless = (branchFails?.links ?? []).map((link) => {
    const change = failed(link, branchFails?.end ?? null);
    const problem = { type: "branch_fails_check" as const, target: link.merge.target };
    return { ...change, changes: { ...change.changes, problem } };
  });
  await updateEachMerge(core, [...blamed, ...blameless]);
}

function failed({ merge }: Link, end: CheckEnd | null) {
  return {
    merge,
    event: "check_failed" as const,
    changes: {
      checkExit: end?.exitCode ?? null,
      checkOutput: end?.output ?? null,
      problem: end?.problem ?? null,
    },
  };
}

/** The intent is stored first, so that a restarted daemon knows what git was asked to do. */
async function land(
  round: MergeRound,
  links: readonly Link[],
  end: CheckEnd | null,
): Promise<void> {
  const { core } = round;
  requireRound(round);
  const stored = await updateMerges(
    core,
    links.map(({ merge, from, commit }) => ({
      merge,
      event: "requeued" as const,
      changes: {
        from,
        result: commit,
        problem: null,
        checkExit: end?.exitCode ?? null,
        checkOutput: end?.output ?? null,
      },
    })),
  );
  // A person changed one of them meanwhile: the next pass builds the batch without it.
  if (stored) await landMerges(round, stored.filter(isIntended));
}
