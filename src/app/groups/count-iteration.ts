import { isSettled, type Agent } from "../../domain/agents/agent.ts";
import { applyToGroup, type Group } from "../../domain/groups/group.ts";
import {
  ADVICE_TEXT,
  adviceBetween,
  nextIteration,
  requireIterationLeft,
} from "../../domain/groups/magentic.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { AgentRequest } from "../agents/plan-agent.ts";
import type { Core, Identity } from "../core.ts";
import { notifyAgent } from "../notifications/notify-agent.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { findMagentic, type MagenticGroup } from "./find-magentic.ts";
import { requireOwnTree } from "./require-own-tree.ts";

/**
 * Runs an insertion as one iteration of the magentic group above it, if there is one. The daemon
 * enforces the limit and the roles and counts the stalls itself: an orchestrator is not trusted.
 */
export async function withinMagenticLimits(
  core: Core,
  unit: UnitOfWork,
  identity: Identity,
  group: Group,
  requests: readonly AgentRequest[],
  insert: () => Promise<readonly Agent[]>,
): Promise<readonly Agent[]> {
  const root = await findMagentic(unit, group);
  await requireOwnTree(unit, identity, root, group);
  if (!root) return insert();
  await requireLed(unit, root);
  requireIterationLeft(root.magentic);
  requireRoles(root, requests);
  const agents = await insert();
  await countIteration(core, unit, root, requests, agents);
  return agents;
}

/** Runs in the transaction of the insertion, so that no agent is added after a cascading stop. */
async function requireLed(unit: UnitOfWork, root: MagenticGroup): Promise<void> {
  const leader = root.orchestratorAgentId && (await unit.getAgent(root.orchestratorAgentId));
  if (leader && !isSettled(leader) && leader.stopReason === null) return;
  throw new Refusal("NOT_ALLOWED", {
    en: [
      `The orchestrator of ${root.id} has ended or is being stopped; its task takes no more agents.`,
      "Start a new task with run_magentic, or use a group of your own.",
    ],
    ja: [
      `${root.id} のオーケストレーターは終わったか停止中なので、エージェントを増やせません。`,
      "run_magentic で新しく始めるか、自分のグループを使ってください。",
    ],
  });
}

function requireRoles({ magentic }: MagenticGroup, requests: readonly AgentRequest[]): void {
  const other = requests.find((request) => !magentic.availableRoles.includes(request.role));
  if (!other) return;
  throw new Refusal("ROLE_UNAVAILABLE", {
    en: [
      `Role ${other.role} is not available to this task.`,
      `Use one of: ${magentic.availableRoles.join(", ")}.`,
    ],
    ja: [
      `職種 ${other.role} は、ここでは使えません。`,
      `使える職種: ${magentic.availableRoles.join(", ")}。`,
    ],
  });
}

async function countIteration(
  core: Core,
  unit: UnitOfWork,
  root: MagenticGroup,
  requests: readonly AgentRequest[],
  agents: readonly Agent[],
): Promise<void> {
  const parts = requests.map(({ role, prompt }) => `${role}\n${prompt}`);
  const magentic = nextIteration(root.magentic, {
    fingerprint: core.tokens.hash(parts.sort().join("\0")),
    agents: agents.map((agent) => agent.id),
    didLastSucceed: await didAnySucceed(unit, root),
  });
  await unit.updateGroup(applyToGroup(root, "agents_added", { magentic }), root);
  await unit.emit({
    type: "magentic:iteration_started",
    groupId: root.id,
    agentId: root.orchestratorAgentId,
    data: {
      iterations: magentic.iterations,
      maxIterations: magentic.maxIterations,
      stalls: magentic.stalls,
    },
    at: core.clock.now(),
  });
  await advise(core, unit, root, root.magentic.stalls, magentic.stalls);
}

async function didAnySucceed(unit: UnitOfWork, { magentic }: MagenticGroup): Promise<boolean> {
  for (const id of magentic.lastAgents) {
    const result = await unit.getResult(id);
    if (!result || result.status === "success") return true;
  }
  return magentic.lastAgents.length === 0;
}

/** Three stalls: advises to replan. Two more: advises to hand over to a person. */
export async function advise(
  core: Core,
  unit: UnitOfWork,
  root: MagenticGroup,
  before: number,
  after: number,
): Promise<void> {
  const advice = adviceBetween(before, after);
  if (advice === null || root.orchestratorAgentId === null) return;
  await unit.emit({
    type: "magentic:stalled",
    groupId: root.id,
    agentId: root.orchestratorAgentId,
    data: { stalls: after, advice },
    at: core.clock.now(),
  });
  await notifyAgent(core, unit, {
    agentId: root.orchestratorAgentId,
    type: "replan",
    text: ADVICE_TEXT[advice],
    from: "kuromajutsu",
  });
}
