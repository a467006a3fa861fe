import { isLanding, isMergeOver } from "../../domain/merges/merge.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { endMerge, requireNotLanding } from "./cancel-merge.ts";
import { listAllMerges } from "./list-merges.ts";

/**
 * There is, or will be, a new version of the change: merges of earlier ones end, and so do their
 * approvals.
 * A merge that git is landing right now goes on; the change then stays open with its new version.
 */
export async function supersedeMerges(
  core: Core,
  unit: UnitOfWork,
  { id, version }: Pick<Workspace, "id" | "version">,
): Promise<void> {
  for (const merge of await listAllMerges(unit, { workspaceId: id })) {
    if (isMergeOver(merge) || isLanding(merge) || merge.version >= version) continue;
    await endMerge(core, unit, merge, "superseded");
  }
}

/** What people were asked about is not the newest any more once an agent works on. */
export async function endOpenMerges(
  core: Core,
  unit: UnitOfWork,
  { id, version }: Pick<Workspace, "id" | "version">,
): Promise<void> {
  for (const merge of await listAllMerges(unit, { workspaceId: id })) requireNotLanding(merge);
  await supersedeMerges(core, unit, { id, version: version + 1 });
}
