import { isSettled } from "../../domain/agents/agent.ts";
import type { Merge } from "../../domain/merges/merge.ts";
import { workspaceEvent } from "../workspaces/workspace-event.ts";
import type { MergeWorld } from "./merge-round.ts";

/**
 * A change of a later stage has the changes of the stages before in it. Once it has landed, people
 * need not decide about those any more. After a crash they stay open, which loses nothing.
 */
export async function closeIncluded(core: MergeWorld, merges: readonly Merge[]): Promise<void> {
  for (const { repository, workspaceId, change } of merges) {
    for (const { id, head } of await core.store.listOpenWorkspaces(repository)) {
      if (id === workspaceId || head === null) continue;
      if (await core.git.isAncestor(repository, head, change)) await close(core, id, head);
    }
  }
}

async function close(core: MergeWorld, id: string, head: string): Promise<void> {
  await core.store.transaction(async (unit) => {
    const workspace = await unit.getWorkspace(id);
    if (workspace?.outcome !== "open" || workspace.head !== head) return;
    const agent = await unit.getAgent(workspace.agentId);
    // An agent that is at work on it makes a new version.
    if (agent && !isSettled(agent)) return;
    const closed = { ...workspace, outcome: "merged", closedAt: core.clock.now() } as const;
    await unit.emit(workspaceEvent(core, await unit.updateWorkspace(closed, workspace)));
  });
}
