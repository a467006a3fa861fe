import { useMemo } from "react";
import type { AgentCard } from "../../../../../src/contract/shapes/agents.ts";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import type { WireTask } from "../../../../../src/contract/shapes/tasks.ts";
import { type Sections, useSections } from "../../../live/sections.ts";
import { type LiveStore, useLive } from "../../../live/store.ts";
import { tasksByGroup } from "../../../live/tasks-by-group.ts";
import { useWaitsForMe } from "../../approvals/may-decide.ts";

export type Failure =
  | { readonly kind: "task"; readonly id: string; readonly task: WireTask }
  | { readonly kind: "agent"; readonly id: string; readonly agent: AgentCard };

/** Pending approvals, oldest first, and recent failures, newest first. */
export type Attention = {
  /** Those that wait for this person. */
  readonly approvals: readonly WireApproval[];
  /** How many others wait for other people. */
  readonly forOthers: number;
  readonly failures: readonly Failure[];
};

/** Older failures are left to the history. */
const RECENT_MS = 24 * 60 * 60_000;
const BROKEN: ReadonlySet<string> = new Set(["failed", "timedOut", "lost"]);

export function useAttentionItems(): Attention {
  const approvals = useLive((state) => state.approvals);
  const tasks = useLive((state) => state.tasks);
  const groups = useLive((state) => state.groups);
  const sections = useSections();
  const waitsForMe = useWaitsForMe();
  return useMemo(() => {
    const mine = [...approvals.values()].filter(waitsForMe);
    return {
      approvals: mine.sort((one, other) => one.createdAt.localeCompare(other.createdAt)),
      forOthers: approvals.size - mine.length,
      failures: [...failedTasks(tasks), ...failedAgents(sections, groups, tasks)],
    };
  }, [approvals, tasks, groups, sections, waitsForMe]);
}

function failedTasks(tasks: LiveStore["tasks"]): readonly Failure[] {
  return [...tasks.values()]
    .filter(({ status, updatedAt }) => status === "failed" && isRecent(updatedAt))
    .sort((one, other) => other.updatedAt.localeCompare(one.updatedAt))
    .map((task) => ({ kind: "task", id: task.taskId, task }));
}

/** Without agents whose failure their task or orchestrator handles. */
function failedAgents(
  sections: Sections,
  groups: LiveStore["groups"],
  tasks: LiveStore["tasks"],
): readonly Failure[] {
  const { agents } = useLive.getState();
  const ofTasks = tasksByGroup(tasks);
  const found: AgentCard[] = [];
  for (const { groupId, broken, agentIds } of sections.values()) {
    const group = groups.get(groupId);
    if (broken === 0 || ofTasks.has(groupId) || group?.parentGroupId || group?.deletedAt) continue;
    for (const id of agentIds) {
      const agent = agents.get(id);
      if (agent && BROKEN.has(agent.status) && isRecent(agent.endedAt ?? agent.createdAt)) {
        found.push(agent);
      }
    }
  }
  return found
    .sort((one, other) => (other.endedAt ?? "").localeCompare(one.endedAt ?? ""))
    .map((agent) => ({ kind: "agent", id: agent.agentId, agent }));
}

function isRecent(at: string): boolean {
  return Date.now() - Date.parse(at) < RECENT_MS;
}
