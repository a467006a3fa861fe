import type { MergeProblem } from "../../domain/merges/merge-problem.ts";
import { mergeRef, type Merge } from "../../domain/merges/merge.ts";
import { Refusal } from "../../domain/refusal.ts";
import { recordAudit } from "../people/audit.ts";
import type { Oid } from "../ports/git.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { workspaceEvent } from "../workspaces/workspace-event.ts";
import { closeIncluded } from "./close-included.ts";
import { requireRound, type MergeRound, type MergeWorld } from "./merge-round.ts";
import { store, updateMerges } from "./update-merges.ts";

/** Files that a problem names. */
const MAX_FILES = 20;

/** A merge whose intent is stored. */
export type Intended = Merge & { readonly from: Oid; readonly result: Oid };

export function isIntended(merge: Merge): merge is Intended {
  return merge.from !== null && merge.result !== null;
}

/**
 * Moves the branch over all of these merges at once, from the first `from` to the last `result`. If
 * the daemon dies here, the intents say what to compare the branch with. A branch that moved
 * meanwhile puts them back into the queue.
 */
export async function landMerges(round: MergeRound, merges: readonly Intended[]): Promise<void> {
  const { core } = round;
  const [first] = merges;
  const last = merges.at(-1);
  if (!first || !last) return;
  const { repository, target } = first;
  requireRound(round);
  const move = await core.git.moveBranch(repository, target, first.from, last.result);
  if (move.result === "checked_out") return landInCheckout(core, merges, move.path);
  return settle(core, merges);
}

async function landInCheckout(
  core: MergeWorld,
  merges: readonly Intended[],
  path: string,
): Promise<void> {
  const [first] = merges;
  const last = merges.at(-1);
  if (!first || !last) return;
  if (!merges.every(({ intoCheckout }) => intoCheckout)) {
    return holdBack(core, merges, ({ target, result: commit }) => ({
      type: "checked_out",
      target,
      path,
      commit,
    }));
  }
  const move = await core.git.fastForwardCheckout(path, first.target, first.from, last.result);
  if (move.result === "refused") {
    const { reason, paths } = move;
    const files = paths.slice(0, MAX_FILES);
    return holdBack(core, merges, ({ result: commit }) => ({
      type: "checkout_refused",
      path,
      reason,
      files,
      commit,
    }));
  }
  return settle(core, merges);
}

/** Only what the branch holds has landed, whatever git answered. */
async function settle(core: MergeWorld, merges: readonly Intended[]): Promise<void> {
  const { landed, others } = await splitByBranch(core, merges);
  await settleLanded(core, landed);
  await giveUpIntents(core, others);
}

/** Which of these the branch contains. */
export async function splitByBranch<Kind extends Intended>(
  core: MergeWorld,
  merges: readonly Kind[],
): Promise<{
  readonly landed: readonly Kind[];
  readonly others: readonly Kind[];
  readonly tip: Oid | undefined;
}> {
  const [first] = merges;
  if (!first) return { landed: [], others: [], tip: undefined };
  const { repository, target } = first;
  const tip = await core.git.resolve(repository, `refs/heads/${target}`);
  const landed: Kind[] = [];
  const others: Kind[] = [];
  for (const merge of merges) {
    const isIn = tip !== undefined && (await contains(core, repository, tip, merge.result));
    (isIn ? landed : others).push(merge);
  }
  return { landed, others, tip };
}

async function contains(
  core: MergeWorld,
  repository: string,
  tip: Oid,
  commit: Oid,
): Promise<boolean> {
  if (tip === commit) return true;
  // A commit that is gone was never on the branch: nothing keeps it.
  if ((await core.git.resolve(repository, commit)) === undefined) return false;
  return core.git.isAncestor(repository, commit, tip);
}

export async function settleLanded(core: MergeWorld, merges: readonly Merge[]): Promise<void> {
  if (merges.length === 0) return;
  await core.store.transaction(async (unit) => {
    for (const { id } of merges) {
      const merge = await unit.getMerge(id);
      if (merge && merge.status !== "landed") await settleOne(core, unit, merge);
    }
  });
  await forgetKept(core, merges);
  await closeIncluded(core, merges);
}

async function settleOne(core: MergeWorld, unit: UnitOfWork, merge: Merge): Promise<void> {
  const now = core.clock.now();
  await store(core, unit, {
    merge,
    event: "landed",
    changes: { endedAt: now, problem: null, conflicts: [] },
  });
  await recordAudit(core, unit, {
    actor: "system",
    action: "merge.landed",
    subject: merge.id,
    data: {
      agentId: merge.agentId,
      workspaceId: merge.workspaceId,
      version: merge.version,
      target: merge.target,
      from: merge.from,
      result: merge.result,
    },
  });
  const workspace = await unit.getWorkspace(merge.workspaceId);
  // A version that came while git landed this one still waits for a decision.
  if (!workspace || workspace.outcome !== "open" || workspace.version !== merge.version) return;
  const closed = await unit.updateWorkspace(
    { ...workspace, outcome: "merged", closedAt: now },
    workspace,
  );
  await unit.emit(workspaceEvent(core, closed));
}

/** A person has the branch checked out: the commit is kept until they land it. */
async function holdBack(
  core: MergeWorld,
  merges: readonly Intended[],
  problemOf: (merge: Intended) => MergeProblem,
): Promise<void> {
  for (const { id, repository, result } of merges) {
    await core.git.keep(repository, mergeRef(id), result);
  }
  await updateMerges(
    core,
    merges.map((merge) => ({
      merge,
      event: "held_back" as const,
      changes: { problem: problemOf(merge) },
    })),
  );
}

export async function giveUpIntents(core: MergeWorld, merges: readonly Merge[]): Promise<void> {
  await updateMerges(
    core,
    merges.map((merge) => ({
      merge,
      event: merge.status === "ready_to_land" ? ("retried" as const) : ("requeued" as const),
      changes: { from: null, result: null, problem: null },
    })),
  );
}

/** The commits of these merges are on a branch, or not wanted any more. */
export async function forgetKept(core: MergeWorld, merges: readonly Merge[]): Promise<void> {
  const held = merges.filter(({ status }) => status === "ready_to_land");
  const [first] = held;
  if (!first) return;
  await core.git
    .forget(
      first.repository,
      held.map(({ id }) => mergeRef(id)),
    )
    .catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      core.log.warn("The ref of a merge could not be deleted.", { error: error.message });
    });
}
