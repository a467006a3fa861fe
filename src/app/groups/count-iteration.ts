import { isSettled } from "../../domain/agents/agent.ts";
import { applyToGroup, type Group } from "../../domain/groups/group.ts";
import {
  ADVICE_TEXT,
  adviceBetween,
  nextIteration,
  requireIterationLeft,
} from "../../domain/groups/magentic.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Inserted } from "../agents/insert-agents.ts";
import type { AgentRequest } from "../agents/plan-agent.ts";
import type { Core, Identity } from "../core.ts";
import { notifyAgentIn } from "../notifications/notify-agent.ts";
import type { StoredEvent, UnitOfWork } from "../ports/store.ts";
import { findMagentic, requireOwnTree, type MagenticGroup } from "./find-magentic.ts";

/**
 * Runs an insertion as one iteration of the magentic group it works for, if there is one: the
 * limit, the roles and the stalls are the server's business, not the orchestrator's word.
 */
export async function withinMagenticLimits(
  core: Core,
  unit: UnitOfWork,
  identity: Identity,
  group: Group,
  requests: readonly AgentRequest[],
  insert: () => Promise<Inserted>,
): Promise<Inserted> {
  const root = await findMagentic(unit, group);
  await requireOwnTree(unit, identity, root, group);
  if (!root) return insert();
  await requireLed(unit, root);
  requireIterationLeft(root.magentic);
  requireRoles(root, requests);
  const inserted = await insert();
  const events = await countIteration(core, unit, root, requests, inserted);
  return { agents: inserted.agents, events: [...inserted.events, ...events] };
}

/** In the same transaction as the insertion: nobody is added after the cascade of a stop has passed. */
async function requireLed(unit: UnitOfWork, root: MagenticGroup): Promise<void> {
  const leader = root.orchestratorAgentId && (await unit.getAgent(root.orchestratorAgentId));
  if (leader && !isSettled(leader) && leader.stopReason === null) return;
  throw new Refusal(
    "NOT_ALLOWED",
    `The orchestrator of ${root.id} has ended or is being stopped; its task takes no more agents.`,
    "Start a new task with run_magentic, or use a group of your own.",
  );
}

function requireRoles({ magentic }: MagenticGroup, requests: readonly AgentRequest[]): void {
  const other = requests.find((request) => !magentic.availableRoles.includes(request.role));
  if (!other) return;
  throw new Refusal(
    "ROLE_UNAVAILABLE",
    `Role ${other.role} is not available to this task.`,
    `Use one of: ${magentic.availableRoles.join(", ")}.`,
  );
}

async function countIteration(
  core: Core,
  unit: UnitOfWork,
  root: MagenticGroup,
  requests: readonly AgentRequest[],
  { agents }: Inserted,
): Promise<StoredEvent[]> {
  const parts = requests.map(({ role, prompt }) => `${role}\n${prompt}`);
  const magentic = nextIteration(root.magentic, {
    fingerprint: core.tokens.hash(parts.sort().join("\0")),
    agents: agents.map((agent) => agent.id),
    didLastSucceed: await didAnySucceed(unit, root),
  });
  await unit.updateGroup(applyToGroup(root, "agents_added", { magentic }), root);
  const iteration = await unit.appendEvent({
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
  return [iteration, ...(await advise(core, unit, root, root.magentic.stalls, magentic.stalls))];
}

async function didAnySucceed(unit: UnitOfWork, { magentic }: MagenticGroup): Promise<boolean> {
  for (const id of magentic.lastAgents) {
    const result = await unit.getResult(id);
    if (!result || result.status === "success") return true;
  }
  return magentic.lastAgents.length === 0;
}

/** Three stalls: told to replan; two more: told to hand over to a person. */
export async function advise(
  core: Core,
  unit: UnitOfWork,
  root: MagenticGroup,
  before: number,
  after: number,
): Promise<StoredEvent[]> {
  const advice = adviceBetween(before, after);
  if (advice === null || root.orchestratorAgentId === null) return [];
  const stalled = await unit.appendEvent({
    type: "magentic:stalled",
    groupId: root.id,
    agentId: root.orchestratorAgentId,
    data: { stalls: after, advice },
    at: core.clock.now(),
  });
  const { event } = await notifyAgentIn(core, unit, {
    agentId: root.orchestratorAgentId,
    type: "replan",
    text: ADVICE_TEXT[advice],
    from: "kuromajutsu",
  });
  return [stalled, event];
}
