import { isSettled, type Agent } from "../../domain/agents/agent.ts";
import { applyToGroup, type Group, type Stages } from "../../domain/groups/group.ts";
import type { GroupId } from "../../domain/ids.ts";
import { settleUnstartedIn } from "../agents/settle-unstarted.ts";
import type { Core } from "../core.ts";
import type { StoredEvent, UnitOfWork } from "../ports/store.ts";

/**
 * Opens the next stage when every agent of the current one is settled. One transaction on the
 * group's version: however often it is asked for, each stage is opened once.
 */
export async function advanceStage(core: Core, groupId: GroupId): Promise<void> {
  const events = await core.store.transaction((unit) => advanceIn(core, unit, groupId));
  core.live.publish(events);
  if (events.length > 0) core.dispatchSoon();
}

async function advanceIn(core: Core, unit: UnitOfWork, groupId: GroupId): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (;;) {
    const group = await unit.getGroup(groupId);
    if (!group?.stages || group.status !== "active") return events;
    if (group.stages.current >= group.stages.total) return events;
    const agents = await unit.listStageAgents(groupId, group.stages.current);
    if (!agents.every(isSettled)) return events;
    const isStopped = group.stages.onFailure === "stop" && (await hasFailure(unit, agents));
    events.push(
      ...(isStopped
        ? await stopPlan(core, unit, group, group.stages)
        : await openNext(core, unit, group, group.stages)),
    );
  }
}

async function hasFailure(unit: UnitOfWork, agents: readonly Agent[]): Promise<boolean> {
  for (const agent of agents) {
    const result = await unit.getResult(agent.id);
    if (result?.status !== "success") return true;
  }
  return false;
}

async function openNext(
  core: Core,
  unit: UnitOfWork,
  group: Group,
  stages: Stages,
): Promise<StoredEvent[]> {
  const current = stages.current + 1;
  for (const agent of await unit.listStageAgents(group.id, current)) {
    if (agent.held) await unit.updateAgent({ ...agent, held: false }, agent);
  }
  return [await moveTo(core, unit, group, { ...stages, current }, false)];
}

/** `onFailure: stop`: what has not started never will. */
async function stopPlan(
  core: Core,
  unit: UnitOfWork,
  group: Group,
  stages: Stages,
): Promise<StoredEvent[]> {
  const why = `Cancelled: stage ${stages.current + 1} failed and onFailure is stop.`;
  const events: StoredEvent[] = [];
  for (let stage = stages.current + 1; stage < stages.total; stage++) {
    for (const agent of await unit.listStageAgents(group.id, stage)) {
      events.push(...(await settleUnstartedIn(unit, agent.id, "cancelled", why, core.clock.now())));
    }
  }
  const moved = await moveTo(core, unit, group, { ...stages, current: stages.total }, true);
  return [moved, ...events];
}

async function moveTo(
  core: Core,
  unit: UnitOfWork,
  group: Group,
  stages: Stages,
  isStopped: boolean,
): Promise<StoredEvent> {
  await unit.updateGroup(applyToGroup(group, "stage_advanced", { stages }), group);
  return unit.appendEvent({
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
