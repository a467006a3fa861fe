import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { AgentCard } from "../../../../src/contract/shapes/agents.ts";
import type { WireGroup } from "../../../../src/contract/shapes/groups.ts";
import { type AnswerOf, get } from "../../api/http.ts";
import { useLive } from "../../live/store.ts";
import { useNow } from "../../ui/use-now.ts";

export type GroupDetail = AnswerOf<"get", "/api/groups/{id}">;

export function useGroup(groupId: string) {
  const live = useLive((state) => state.groups.get(groupId));
  const query = useQuery({
    queryKey: ["group", groupId],
    queryFn: ({ signal }) => get("/api/groups/{id}", { params: { id: groupId }, signal }),
  });
  const group = query.data && (live ? { ...query.data, ...live } : query.data);
  return { ...query, group };
}

/**
 * Agents of the group with live values, sampled once a second: rendering every update of a
 * thousand agents would be too slow.
 */
export function useGroupAgents({ groupId, agents }: GroupDetail): readonly AgentCard[] {
  const now = useNow();
  return useMemo(() => {
    const { agents: live } = useLive.getState();
    const known = new Set(agents.map(({ agentId }) => agentId));
    const newer = [...live.values()].filter(
      (agent) => agent.groupId === groupId && !known.has(agent.agentId),
    );
    return [...newer, ...agents.map((agent) => live.get(agent.agentId) ?? agent)].sort(
      (one, other) =>
        (one.stageIndex ?? 0) - (other.stageIndex ?? 0) ||
        one.createdAt.localeCompare(other.createdAt) ||
        one.agentId.localeCompare(other.agentId),
    );
    // `now` triggers the next sample.
  }, [groupId, agents, now]);
}

/** Live agents of these groups, sampled once a second, oldest first. */
export function useAgentsOfGroups(groups: readonly WireGroup[]): readonly AgentCard[] {
  const now = useNow();
  return useMemo(() => {
    const ids = new Set(groups.map(({ groupId }) => groupId));
    if (ids.size === 0) return [];
    return [...useLive.getState().agents.values()]
      .filter(({ groupId }) => ids.has(groupId))
      .sort((one, other) => one.createdAt.localeCompare(other.createdAt));
    // `now` triggers the next sample.
  }, [groups, now]);
}

export function useChildGroups(groupId: string): readonly WireGroup[] {
  const groups = useLive((state) => state.groups);
  return useMemo(
    () =>
      [...groups.values()]
        .filter(({ parentGroupId }) => parentGroupId === groupId)
        .sort((one, other) => one.createdAt.localeCompare(other.createdAt)),
    [groups, groupId],
  );
}

export function isAtWork({ status }: Pick<AgentCard, "status">): boolean {
  return status === "queued" || status === "running";
}
