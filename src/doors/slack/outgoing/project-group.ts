import type { AgentView } from "../../../app/ports/store.ts";
import { isSettled } from "../../../domain/agents/agent.ts";
import type { Group } from "../../../domain/groups/group.ts";
import type { Locale } from "../../../domain/locale.ts";
import { groupValue } from "../button-values.ts";
import { desiredCard, type DesiredMessage } from "./desired-message.ts";

export type GroupProjection = {
  /** A group of a main agent. */
  readonly group: Group;
  /** Its agents and those of the groups below it, oldest first. */
  readonly agents: readonly AgentView[];
  /** What settled agents reported, by agent. */
  readonly summaries: ReadonlyMap<string, string>;
  readonly locale: Locale;
  readonly dashboardUrl: string | undefined;
  readonly channel: string;
};

export function boardKey(groupId: string, channel: string): string {
  return `board:${groupId}:${channel}`;
}

/** The one message about a group; undefined until it has an agent. */
export function projectGroup(projection: GroupProjection): DesiredMessage | undefined {
  const { group, agents, summaries, locale, dashboardUrl, channel } = projection;
  if (agents.length === 0) return undefined;
  const key = boardKey(group.id, channel);
  const shown = {
    locale,
    ...(dashboardUrl && { dashboardUrl: `${dashboardUrl}/groups/${group.id}` }),
    groupId: group.id,
    description: group.description,
    mode: group.mode,
    agents: agents.map(({ agent, lastMessage }) => ({
      id: agent.id,
      role: agent.role,
      status: agent.status,
      note: summaries.get(agent.id) ?? lastMessage,
    })),
    ...progressOf(group),
  };
  const all = agents.map(({ agent }) => agent);
  const open = group.status === "active" ? all.filter((agent) => !isSettled(agent)) : [];
  if (open.length > 0 && open.every(({ stopReason }) => stopReason === "cancelled")) {
    return desiredCard(key, "progress", "groupStopping", shown);
  }
  if (open.length > 0) {
    return desiredCard(key, "progress", "groupRunning", {
      ...shown,
      stopValue: groupValue(group.id),
    });
  }
  const startedAt = Math.min(...all.map((agent) => agent.startedAt ?? agent.createdAt));
  const endedAt = Math.max(...all.map((agent) => agent.endedAt ?? agent.createdAt));
  const elapsedMs = Math.max(0, endedAt - startedAt);
  return desiredCard(key, "final", "groupEnded", { ...shown, elapsedMs, endedAt });
}

function progressOf({ stages, magentic }: Group) {
  return {
    ...(stages && {
      stage: { current: Math.min(stages.current + 1, stages.total), total: stages.total },
    }),
    ...(magentic && {
      iteration: { current: magentic.iterations, max: magentic.maxIterations },
    }),
  };
}
