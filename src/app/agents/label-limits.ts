import type { Agent } from "../../domain/agents/agent.ts";
import type { Core } from "../core.ts";
import type { Queries } from "../ports/store.ts";

/** How many more agents with each limited label may run. */
export type LabelRoom = {
  /** Takes a place of each of its labels; false: one has none, and nothing is taken. */
  take(agent: Pick<Agent, "labels">): boolean;
  /** The first of its labels that has no place left. */
  fullLabelOf(agent: Pick<Agent, "labels">): string | undefined;
};

/** Asks the store only if limits are configured. */
export async function labelRoomOf(
  { settings: { labelLimits }, serverId, provisioning }: RoomSource,
  queries: Pick<Queries, "listLabelsInUse" | "getAgents">,
): Promise<LabelRoom> {
  const free = new Map(Object.entries(labelLimits));
  const take = (labels: readonly string[]): void => {
    for (const label of labels) free.set(label, (free.get(label) ?? Infinity) - 1);
  };
  if (free.size > 0) {
    for (const labels of await queries.listLabelsInUse()) take(labels);
    // Without other servers no row says that an agent is taken.
    const preparing = serverId === null ? provisioning.agentIds() : [];
    for (const { labels } of await queries.getAgents(preparing)) take(labels);
  }
  const fullLabelOf = ({ labels }: Pick<Agent, "labels">): string | undefined =>
    labels.find((label) => (free.get(label) ?? Infinity) <= 0);
  return {
    fullLabelOf,
    take(agent) {
      if (fullLabelOf(agent) !== undefined) return false;
      take(agent.labels);
      return true;
    },
  };
}

type RoomSource = Pick<Core, "settings" | "serverId" | "provisioning">;

/**
 * Those that may start. Agents that this server has taken have their places already. With other servers
 * this only spares the lock: `takeAgents` counts again under it.
 */
export async function withinLabelLimits(
  core: Core,
  agents: readonly Agent[],
): Promise<readonly Agent[]> {
  const room = await labelRoomOf(core, core.store);
  return agents.filter((agent) => agent.workerId !== null || room.take(agent));
}
