import { isLanding } from "../../domain/merges/merge.ts";
import type { Core } from "../core.ts";
import { endMerge } from "./cancel-merge.ts";
import { listAllMerges } from "./list-merges.ts";

/** After a restore: approved merges may have landed since the backup, so people ask for them again. */
export async function cancelRestoredMerges(core: Core): Promise<void> {
  const waiting = await listAllMerges(core.store, { statuses: ["queued", "ready_to_land"] });
  await core.store.transaction(async (unit) => {
    for (const { id } of waiting) {
      const merge = await unit.getMerge(id);
      // Git may have moved the branch for this one: the queue compares and decides.
      if (merge && !isLanding(merge)) await endMerge(core, unit, merge, "cancelled");
    }
  });
}
