import { isMergeOver } from "../../domain/merges/merge.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import { requirePerson } from "../people/require-person.ts";
import {
  requireIdle,
  requireOpenChange,
  requireWorkspace,
} from "../workspaces/require-workspace.ts";
import { workspaceEvent } from "../workspaces/workspace-event.ts";
import { endMerge, requireNotLanding } from "./cancel-merge.ts";
import { listAllMerges } from "./list-merges.ts";

export type DiscardChange = { readonly id: string; readonly reason?: string };

/** A person decides against a change. Its open merges end; its commits are kept for a while. */
export async function discardChange(
  core: Core,
  identity: Identity,
  { id, reason }: DiscardChange,
): Promise<Workspace> {
  const person = requirePerson(identity, "operator");
  return core.store.transaction(async (unit) => {
    const workspace = await requireWorkspace(unit, id);
    requireOpenChange(workspace);
    await requireIdle(unit, workspace);
    for (const merge of await listAllMerges(unit, { workspaceId: workspace.id })) {
      if (isMergeOver(merge)) continue;
      requireNotLanding(merge);
      await endMerge(core, unit, merge, "cancelled");
    }
    const discarded = await unit.updateWorkspace(
      { ...workspace, outcome: "discarded", closedAt: core.clock.now() },
      workspace,
    );
    await recordAudit(core, unit, {
      actor: person.id,
      action: "change.discarded",
      subject: workspace.id,
      data: {
        agentId: workspace.agentId,
        version: workspace.version,
        head: workspace.head,
        reason: reason || null,
      },
    });
    await unit.emit(workspaceEvent(core, discarded));
    return discarded;
  });
}
