import type { Agent } from "../../domain/agents/agent.ts";
import { Refusal } from "../../domain/refusal.ts";
import { AT_ONCE, insertAgents } from "../agents/insert-agents.ts";
import { planAgent, type AgentRequest, type PlannedAgent } from "../agents/plan-agent.ts";
import type { Core, Identity } from "../core.ts";
import { planPlaces } from "../workspaces/plan-places.ts";
import { withinMagenticLimits } from "./count-iteration.ts";
import { requireActiveGroup } from "./require-group.ts";

export type RunAgents = {
  readonly groupId: string;
  readonly agents: readonly AgentRequest[];
};

/** Queues all agents or none; they start as slots become free. */
export async function runAgents(
  core: Core,
  identity: Identity,
  input: RunAgents,
): Promise<readonly Agent[]> {
  if (input.agents.length === 0) {
    throw new Refusal("EMPTY_AGENTS", {
      en: ["agents is empty.", "Name at least one {role, prompt}."],
      ja: ["agents が空です。", "{role, prompt} を 1 つ以上指定してください。"],
    });
  }
  await requireActiveGroup(core.store, input.groupId, "concurrent");
  const requested: PlannedAgent[] = [];
  for (const request of input.agents) requested.push(await planAgent(core, identity, request));
  const planned = await planPlaces(core, identity, requested);

  return core.store.transaction(async (unit) => {
    const group = await requireActiveGroup(unit, input.groupId, "concurrent");
    return withinMagenticLimits(core, unit, identity, group, input.agents, () =>
      insertAgents(
        core,
        unit,
        identity,
        group,
        planned.map((item) => ({ ...item, ...AT_ONCE })),
      ),
    );
  });
}
