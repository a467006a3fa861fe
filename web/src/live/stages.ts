import type { AgentCard } from "../../../src/contract/shapes/agents.ts";
import { type AgentStatus, countStatuses } from "./sections.ts";

export type StageState = {
  readonly index: number;
  readonly total: number;
  readonly done: number;
  readonly roles: readonly string[];
  readonly status: AgentStatus;
  readonly agents: readonly AgentCard[];
};

/** The state of each stage of a sequential group. */
export function stagesOf(
  agentIds: readonly string[],
  total: number,
  agents: ReadonlyMap<string, AgentCard>,
): readonly StageState[] {
  const members: AgentCard[][] = Array.from({ length: total }, () => []);
  for (const id of agentIds) {
    const agent = agents.get(id);
    if (agent) members[agent.stageIndex ?? 0]?.push(agent);
  }
  return members.map(stageOf);
}

function stageOf(members: readonly AgentCard[], index: number): StageState {
  const counts = countStatuses(members);
  const live = counts.queued + counts.running;
  const broken = counts.failed + counts.timedOut + counts.lost;
  const isBegun = counts.running > 0 || live < members.length;
  return {
    index,
    total: members.length,
    done: members.length - live,
    roles: [...new Set(members.map(({ role }) => role))],
    agents: members,
    status:
      live > 0
        ? isBegun
          ? "running"
          : "queued"
        : broken > 0
          ? "failed"
          : counts.cancelled > 0 && counts.cancelled === members.length
            ? "cancelled"
            : members.length === 0
              ? "queued"
              : "completed",
  };
}
