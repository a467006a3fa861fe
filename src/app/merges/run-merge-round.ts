import type { MergeId } from "../../domain/ids.ts";
import type { Merge } from "../../domain/merges/merge.ts";
import { Refusal } from "../../domain/refusal.ts";
import { mergeBatch, type Refused } from "./merge-batch.ts";
import { requireRound, type MergeRound } from "./merge-round.ts";
import { queuedOf, recoverMerges, reviewHeld } from "./recover-merges.ts";
import { updateEachMerge } from "./update-merges.ts";

const MAX_BATCH = 32;
/** A branch that moves faster than this is left alone for a while. */
const MAX_PASSES = 200;

/** Works off the queue of one repository. Returns whether something must be tried again later. */
export async function runMergeRound(round: MergeRound): Promise<"done" | "later"> {
  const refused = new Set<MergeId>();
  if (!(await recover(round))) return "later";
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    requireRound(round);
    const waiting = (await queuedOf(round)).filter(({ id }) => !refused.has(id));
    const batch = nextBatch(waiting);
    if (batch.length === 0) return refused.size === 0 ? "done" : "later";
    for (const { merge, refusal } of await tryBatch(round, batch)) {
      refused.add(merge.id);
      await storeRefusal(round, merge.id, refusal);
    }
  }
  return "later";
}

/** Returns whether git could be asked. */
async function recover(round: MergeRound): Promise<boolean> {
  try {
    await recoverMerges(round);
    await reviewHeld(round);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    for (const { id } of await queuedOf(round)) await storeRefusal(round, id, error);
    return false;
  }
}

/** The oldest, and all others that go the same way. */
function nextBatch(waiting: readonly Merge[]): readonly Merge[] {
  const [oldest] = waiting;
  if (!oldest) return [];
  return waiting
    .filter(
      ({ target, intoCheckout }) =>
        target === oldest.target && intoCheckout === oldest.intoCheckout,
    )
    .slice(0, MAX_BATCH);
}

async function tryBatch(round: MergeRound, batch: readonly Merge[]): Promise<readonly Refused[]> {
  try {
    return await mergeBatch({ ...round, batch }, batch);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return batch.map((merge) => ({ merge, refusal: error }));
  }
}

/** It stays queued; people see why it waits. */
async function storeRefusal({ core }: MergeRound, id: MergeId, { texts }: Refusal): Promise<void> {
  const merge = await core.store.getMerge(id);
  if (merge?.status !== "queued" && merge?.status !== "checking") return;
  const problem = { type: "refused", en: texts.en.join(" "), ja: texts.ja.join("") } as const;
  const { problem: before } = merge;
  if (before?.type === "refused" && before.en === problem.en) return;
  await updateEachMerge(core, [{ merge, event: "requeued", changes: { problem } }]);
}
