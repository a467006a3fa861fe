import type { Agent } from "../../domain/agents/agent.ts";
import { applyToGroup, type Group, type Stages } from "../../domain/groups/group.ts";
import { AT_ONCE, insertAgents, type Placement } from "../agents/insert-agents.ts";
import { type AgentRequest, type PlannedAgent, planAgent } from "../agents/plan-agent.ts";
import type { Core, Identity } from "../core.ts";
import { planPlaces } from "../workspaces/plan-places.ts";
import { insertGroup } from "./create-group.ts";

export type RunPlan = {
  readonly description: string;
  /** Several stages run one after the other; the agents of a stage run at the same time. */
  readonly stages: readonly (readonly AgentRequest[])[];
  readonly mode: "concurrent" | "sequential";
  readonly onFailure: Stages["onFailure"];
};

export type PlanStarted = { readonly group: Group; readonly agents: readonly Agent[] };

/** Creates a group with all its agents in one transaction: no group without agents is left behind. */
export async function runPlan(
  core: Core,
  identity: Identity,
  { description, stages, mode, onFailure }: RunPlan,
): Promise<PlanStarted> {
  const requested: (PlannedAgent & Placement)[] = [];
  for (const [stageIndex, requests] of stages.entries()) {
    const placement: Placement =
      mode === "sequential" ? { slot: "worker", stageIndex, held: stageIndex > 0 } : AT_ONCE;
    for (const request of requests) {
      requested.push({ ...(await planAgent(core, identity, request)), ...placement });
    }
  }
  const planned = await planPlaces(core, identity, requested);
  return core.store.transaction(async (unit) => {
    const created = await insertGroup(core, unit, {
      description,
      mode,
      parentGroupId: null,
      magentic: null,
    });
    const group =
      mode === "sequential"
        ? await unit.updateGroup(
            applyToGroup(created, "agents_added", {
              stages: { total: stages.length, current: 0, onFailure },
            }),
            created,
          )
        : created;
    return { group, agents: await insertAgents(core, unit, identity, group, planned) };
  });
}
