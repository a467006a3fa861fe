import { isSettled, type Agent } from "../../domain/agents/agent.ts";
import { applyToGroup, type Group, type Stages } from "../../domain/groups/group.ts";
import type { GroupId } from "../../domain/ids.ts";
import { settleUnstarted } from "../agents/settle-unstarted.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";

/**
 * Opens the next stage when every agent of the current one is settled. Safe to call concurrently:
 * the group's version guarantees that each stage is opened once.
 */
export async function advanceStage(core: Core, groupId: GroupId): Promise<void> {
  await core.store.transaction((unit) => openDueStages(core, unit, groupId));
}

async function openDueStages(core: Core, unit: UnitOfWork, groupId: GroupId): Promise<void> {
  for (;;) {
    const group = await unit.getGroup(groupId);
    if (!group?.stages || group.status !== "active") return;
    if (group.stages.current >= group.stages.total) return;
    const agents = await unit.listStageAgents(groupId, group.stages.current);
    if (!agents.every(isSettled)) return;
    const isStopped = group.stages.onFailure === "stop" && (await hasFailure(unit, agents));
    if (isStopped) await stopPlan(core, unit, group, group.stages);
    else await openNext(core, unit, group, group.stages);
  }
}

async function hasFailure(unit: UnitOfWork, agents: readonly Agent[]): Promise<boolean> {
  for (const agent of agents) {
    const result = await unit.getResult(agent.id);
    if (result?.status !== "success") return true;
  }
  return false;
}

async function openNext(core: Core, unit: UnitOfWork, group: Group, stages: Stages): Promise<void> {
  const current = stages.current + 1;
  for (const agent of await unit.listStageAgents(group.id, current)) {
    if (agent.held) await unit.updateAgent({ ...agent, held: false }, agent);
  }
  await moveTo(core, unit, group, { ...stages, current }, false);
}

/** `onFailure: stop`: the agents of later stages never start. */
async function stopPlan(core: Core, unit: UnitOfWork, group: Group, stages: Stages): Promise<void> {
  const why = `Cancelled: stage ${stages.current + 1} failed and onFailure is stop.`;
  await moveTo(core, unit, group, { ...stages, current: stages.total }, true);
  for (let stage = stages.current + 1; stage < stages.total; stage++) {
    for (const agent of await unit.listStageAgents(group.id, stage)) {
      await settleUnstarted(core, unit, agent.id, "cancelled", why);
    }
  }
}

async function moveTo(
  core: Core,
  unit: UnitOfWork,
  group: Group,
  stages: Stages,
  isStopped: boolean,
): Promise<void> {
  await unit.updateGroup(applyToGroup(group, "stage_advanced", { stages }), group);
  await unit.emit({
    type: "group:stage_advanced",
    groupId: group.id,
    agentId: null,
    data: {
      currentStageIndex: stages.current,
      totalStages: stages.total,
      finished: stages.current >= stages.total,
      stopped: isStopped,
    },
    at: core.clock.now(),
  });
}
