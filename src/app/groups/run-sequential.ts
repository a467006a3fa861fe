import type { Agent } from "../../domain/agents/agent.ts";
import { applyToGroup, type Group, type Stages } from "../../domain/groups/group.ts";
import { Refusal } from "../../domain/refusal.ts";
import { insertAgents, type Placement } from "../agents/insert-agents.ts";
import { planAgent, type AgentRequest, type PlannedAgent } from "../agents/plan-agent.ts";
import type { Core, Identity } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { planPlaces } from "../workspaces/plan-places.ts";
import { withinMagenticLimits } from "./count-iteration.ts";
import { requireActiveGroup } from "./require-group.ts";

export type RunSequential = {
  readonly groupId: string;
  readonly stages: readonly (readonly AgentRequest[])[];
  readonly onFailure: Stages["onFailure"];
};

export type SequentialStarted = { readonly group: Group; readonly agents: readonly Agent[] };

/** Queues the agents of every stage at once; only those of the first stage may start. */
export async function runSequential(
  core: Core,
  identity: Identity,
  input: RunSequential,
): Promise<SequentialStarted> {
  requireStages(input.stages);
  await requireActiveGroup(core.store, input.groupId, "sequential");
  const requested: (PlannedAgent & Placement)[] = [];
  for (const [stageIndex, requests] of input.stages.entries()) {
    for (const request of requests) {
      const plan = await planAgent(core, identity, request);
      requested.push({ ...plan, slot: "worker", stageIndex, held: stageIndex > 0 });
    }
  }
  const planned = await planPlaces(core, identity, requested);
  return core.store.transaction(async (unit) => {
    const found = await requireActiveGroup(unit, input.groupId, "sequential");
    requireUnused(found);
    const staged = await startStages(unit, found, input);
    const requests = planned.map((item) => item.request);
    const agents = await withinMagenticLimits(core, unit, identity, staged, requests, () =>
      insertAgents(core, unit, identity, staged, planned),
    );
    return { group: staged, agents };
  });
}

function startStages(unit: UnitOfWork, group: Group, input: RunSequential): Promise<Group> {
  const stages = { total: input.stages.length, current: 0, onFailure: input.onFailure };
  return unit.updateGroup(applyToGroup(group, "agents_added", { stages }), group);
}

function requireStages(stages: RunSequential["stages"]): void {
  if (stages.length === 0) {
    throw new Refusal("EMPTY_STAGES", {
      en: ["stages is empty.", "Name at least one {tasks: [...]}."],
      ja: ["stages が空です。", "{tasks: [...]} を 1 つ以上指定してください。"],
    });
  }
  const empty = stages.findIndex((requests) => requests.length === 0);
  if (empty >= 0) {
    throw new Refusal("EMPTY_STAGE_TASKS", {
      en: [
        `Stage ${empty} has no tasks.`,
        "Give every stage at least one {role, prompt}, or leave the stage out.",
      ],
      ja: [
        `ステージ ${empty} に tasks がありません。`,
        "どのステージにも {role, prompt} を 1 つ以上指定するか、そのステージを省いてください。",
      ],
    });
  }
}

/** One plan per group, so that stage numbers are unique. */
function requireUnused(group: Group): void {
  if (group.stages === null) return;
  throw new Refusal("SEQUENTIAL_START_FAILED", {
    en: [
      `Group ${group.id} already has a plan of ${group.stages.total} stages.`,
      'Make a new group with create_group(mode: "sequential") for the next plan.',
    ],
    ja: [
      `グループ ${group.id} には、すでに ${group.stages.total} ステージの計画があります。`,
      '次の計画には、create_group(mode: "sequential") で新しいグループを作ってください。',
    ],
  });
}
