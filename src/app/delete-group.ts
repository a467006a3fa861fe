import { applyToGroup, type Group } from "../domain/group.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Core } from "./core.ts";
import { groupNotActive, groupNotFound } from "./create-group.ts";

export type DeleteGroup = { readonly groupId: string };

/** Only a group whose agents are all settled can go; its agents stay in the history. */
export async function deleteGroup(core: Core, input: DeleteGroup): Promise<Group> {
  const now = core.clock.now();
  const { group, event } = await core.store.transaction(async (unit) => {
    const found = await unit.getGroup(input.groupId);
    if (!found) throw groupNotFound(input.groupId);
    if (found.status !== "active") throw groupNotActive(found);
    const unsettled = await unit.countUnsettled(found.id);
    if (unsettled > 0) throw stillRunning(found, unsettled);

    const deleted = await unit.updateGroup(
      applyToGroup(found, "deleted", { deletedAt: now }),
      found,
    );
    const stored = await unit.appendEvent({
      type: "group:deleted",
      groupId: found.id,
      agentId: null,
      data: {},
      at: now,
    });
    return { group: deleted, event: stored };
  });
  core.live.publish([event]);
  return group;
}

function stillRunning(group: Group, unsettled: number): Refusal {
  return new Refusal(
    "GROUP_HAS_RUNNING_AGENTS",
    `Group ${group.id} still has ${unsettled} agent(s) queued or running.`,
    "Wait for them with wait_agent, then delete the group.",
  );
}
