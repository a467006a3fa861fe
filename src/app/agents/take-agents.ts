import type { Agent } from "../../domain/agents/agent.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { LiveCounts, UnitOfWork } from "../ports/store.ts";
import { labelRoomOf } from "./label-limits.ts";

/** A person waits for a draft, and drafting is short: drafts never queue behind long work. */
const MAX_RESERVED = 2;

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
    const free = await countFree(core, unit, await unit.countLive());
    const room = await labelRoomOf(core, unit);
    const now: Agent[] = [];
    for (const agent of others) {
      if (free[agent.slot] <= 0 || room.fullLabelOf(agent) !== undefined) continue;
      const next = await tryUpdate(unit, { ...agent, workerId: serverId }, agent);
      if (!next) continue;
      free[agent.slot] -= 1;
      room.take(agent);
      now.push(next);
    }
    return now;
  });
  return [...mine, ...taken];
}

type FreeSlots = Record<Agent["slot"], number>;
type SlotQueries = Pick<UnitOfWork, "listLiveAgents" | "listTakenAgents" | "getAgents">;

/** Orchestrators wait for other agents, and drafts are short: they take no slot of a host, either. */
export async function countFree(
  core: Core,
  queries: SlotQueries,
  { live, liveOrchestrators, liveReserved }: LiveCounts,
): Promise<FreeSlots> {
  const slots = core.offer?.slots() ?? null;
  if (slots === 0) return { worker: 0, orchestrator: 0, reserved: 0 };
  const { maxConcurrent, maxOrchestrators } = core.settings;
  // The rows count agents that were taken; without other servers none is marked as taken.
  const uncounted = core.serverId === null ? core.provisioning.agentIds().length : 0;
  const here = slots === null ? Infinity : slots - (await countHere(core, queries));
  return {
    worker: Math.min(maxConcurrent - live - uncounted, here),
    orchestrator: maxOrchestrators - liveOrchestrators,
    reserved: MAX_RESERVED - liveReserved,
  };
}

async function countHere(core: Core, queries: SlotQueries): Promise<number> {
  const { serverId, provisioning } = core;
  const running = await queries.listLiveAgents(serverId);
  const taken = await (serverId === null
    ? queries.getAgents(provisioning.agentIds())
    : queries.listTakenAgents(serverId));
  return [...running, ...taken].filter(({ slot }) => slot === "worker").length;
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
