import { useShallow } from "zustand/react/shallow";
import type { AgentCard } from "../../../src/contract/shapes/agents.ts";
import { AGENT_STATUSES } from "../../../src/contract/values.ts";
import { useLive } from "./store.ts";

export type AgentStatus = AgentCard["status"];
export type StatusCounts = Readonly<Record<AgentStatus, number>>;

/** The agents of a group and their statuses, without messages, so that it seldom changes. */
export type Section = {
  readonly groupId: string;
  /** Ordered by stage, then by age. */
  readonly agentIds: readonly string[];
  readonly counts: StatusCounts;
  readonly total: number;
  /** Queued or running. */
  readonly live: number;
  readonly done: number;
  /** Failed, timed out or lost. */
  readonly broken: number;
  /** All its agents are rehearsals. */
  readonly isRehearsal: boolean;
};

type Agents = ReadonlyMap<string, AgentCard>;
export type Sections = ReadonlyMap<string, Section>;

let seen: Agents | undefined;
let sections: Sections = new Map();

/**
 * Most updates change only messages. Then the same object is returned, so that nothing renders.
 */
export function sectionsOf(agents: Agents): Sections {
  if (agents === seen) return sections;
  if (!seen || isMoved(agents, seen)) sections = build(agents, sections);
  seen = agents;
  return sections;
}

export function useSections(): Sections {
  return useLive((state) => sectionsOf(state.agents));
}

export function useSection(groupId: string): Section | undefined {
  return useLive((state) => sectionsOf(state.agents).get(groupId));
}

/** The progress of a magentic group is that of the agents its orchestrator started. */
export function useGroupProgress(groupId: string): {
  readonly done: number;
  readonly total: number;
} {
  return useLive(
    useShallow(({ agents, groups }) => {
      const known = sectionsOf(agents);
      if (groups.get(groupId)?.mode !== "magentic") {
        const { done = 0, total = 0 } = known.get(groupId) ?? {};
        return { done, total };
      }
      let done = 0;
      let total = 0;
      for (const group of groups.values()) {
        if (group.parentGroupId !== groupId) continue;
        const section = known.get(group.groupId);
        done += section?.done ?? 0;
        total += section?.total ?? 0;
      }
      return { done, total };
    }),
  );
}

function isMoved(agents: Agents, before: Agents): boolean {
  if (agents.size !== before.size) return true;
  for (const [id, agent] of agents) {
    const old = before.get(id);
    if (old === agent) continue;
    if (!old || old.status !== agent.status || old.groupId !== agent.groupId) return true;
  }
  return false;
}

function build(agents: Agents, before: Sections): Sections {
  const byGroup = new Map<string, AgentCard[]>();
  for (const agent of agents.values()) {
    const members = byGroup.get(agent.groupId);
    if (members) members.push(agent);
    else byGroup.set(agent.groupId, [agent]);
  }
  const next = new Map<string, Section>();
  for (const [groupId, members] of byGroup) {
    const section = sectionOf(groupId, members);
    const old = before.get(groupId);
    next.set(groupId, old && isSame(old, section) ? old : section);
  }
  return next;
}

function sectionOf(groupId: string, members: AgentCard[]): Section {
  const counts = countStatuses(members);
  const live = counts.queued + counts.running;
  return {
    groupId,
    agentIds: members.sort(byStageThenAge).map(({ agentId }) => agentId),
    counts,
    total: members.length,
    live,
    done: members.length - live,
    broken: counts.failed + counts.timedOut + counts.lost,
    isRehearsal: members.every(({ runner }) => runner === "rehearsal"),
  };
}

function byStageThenAge(one: AgentCard, other: AgentCard): number {
  return (
    (one.stageIndex ?? 0) - (other.stageIndex ?? 0) ||
    compare(one.createdAt, other.createdAt) ||
    compare(one.agentId, other.agentId)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function isSame(one: Section, other: Section): boolean {
  return (
    one.total === other.total &&
    one.agentIds.every((id, index) => id === other.agentIds[index]) &&
    AGENT_STATUSES.every((status) => one.counts[status] === other.counts[status])
  );
}

const NONE = {
  queued: 0,
  running: 0,
  completed: 0,
  failed: 0,
  timedOut: 0,
  cancelled: 0,
  lost: 0,
  resultReported: 0,
} as const satisfies StatusCounts;

export function countStatuses(agents: Iterable<Pick<AgentCard, "status">>): StatusCounts {
  const counts: Record<AgentStatus, number> = { ...NONE };
  for (const { status } of agents) counts[status]++;
  return counts;
}
