import type { Agent } from "../../domain/agents/agent.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";

/** A person waits for a draft, and drafting is short: drafts never queue behind long work. */
export const MAX_RESERVED = 2;

/**
 * Takes waiting agents for this server; others no longer see them in the queue. The limits are
 * counted under a lock, so that all servers together never exceed them. Returns the agents that are
 * this server's now. A server that has the store for itself need not take anything.
 */
export async function takeAgents(core: Core, agents: readonly Agent[]): Promise<readonly Agent[]> {
  const { serverId } = core;
  if (serverId === null) return agents;
  const mine = agents.filter((agent) => agent.workerId === serverId);
  const others = agents.filter((agent) => agent.workerId === null);
  if (others.length === 0) return mine;
  const taken = await core.store.transaction(async (unit) => {
    await unit.lockQueue();
    const free = await countFree(core, unit);
    const now: Agent[] = [];
    for (const agent of others) {
      if (free[agent.slot] <= 0) continue;
      const next = await tryUpdate(unit, { ...agent, workerId: serverId }, agent);
      if (!next) continue;
      free[agent.slot] -= 1;
      now.push(next);
    }
    return now;
  });
  return [...mine, ...taken];
}

async function countFree(core: Core, unit: UnitOfWork): Promise<Record<Agent["slot"], number>> {
  const { live, liveOrchestrators, liveReserved } = await unit.countLive();
  const { maxConcurrent, maxOrchestrators } = core.settings;
  return {
    worker: maxConcurrent - live,
    orchestrator: maxOrchestrators - liveOrchestrators,
    reserved: MAX_RESERVED - liveReserved,
  };
}

/** Undefined: another server took the agent, or it was cancelled. */
async function tryUpdate(
  unit: UnitOfWork,
  next: Agent,
  expected: Agent,
): Promise<Agent | undefined> {
  try {
    return await unit.updateAgent(next, expected);
  } catch (error) {
    if (error instanceof Refusal && error.code === "VERSION_CONFLICT") return undefined;
    throw error;
  }
}
