import { applyToMerge, type Merge, type MergeEvent } from "../../domain/merges/merge.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { mergeEvent } from "./merge-event.ts";
import type { MergeWorld } from "./merge-round.ts";

export type MergeChange = {
  readonly merge: Merge;
  readonly event: MergeEvent;
  readonly changes?: Partial<Merge>;
};

/** All of them or, if a person changed one meanwhile, none: the caller then looks again. */
export async function updateMerges(
  core: MergeWorld,
  changes: readonly MergeChange[],
): Promise<readonly Merge[] | undefined> {
  if (changes.length === 0) return [];
  return core.store.transaction(async (unit) => {
    for (const { merge } of changes) {
      if ((await unit.getMerge(merge.id))?.revision !== merge.revision) return undefined;
    }
    const stored: Merge[] = [];
    for (const change of changes) stored.push(await store(core, unit, change));
    return stored;
  });
}

/** Each one by itself; those that changed meanwhile stay as they are. */
export async function updateEachMerge(
  core: MergeWorld,
  changes: readonly MergeChange[],
): Promise<void> {
  for (const change of changes) await updateMerges(core, [change]);
}

export async function store(
  core: MergeWorld,
  unit: UnitOfWork,
  { merge, event, changes }: MergeChange,
): Promise<Merge> {
  const stored = await unit.updateMerge(applyToMerge(merge, event, changes), merge);
  await unit.emit(mergeEvent(core, stored));
  return stored;
}
