import type { WireEvent } from "../../../contract/events/events.ts";
import type { AgentCard } from "../../../contract/shapes/agents.ts";
import type { WireApproval } from "../../../contract/shapes/approvals.ts";
import type { WireGroup } from "../../../contract/shapes/groups.ts";
import type { WireTask } from "../../../contract/shapes/tasks.ts";

/** Everything that the live view shows, as the daemon has it. */
export type Fleet = {
  readonly groups: readonly WireGroup[];
  readonly agents: readonly AgentCard[];
  readonly tasks: readonly WireTask[];
  readonly approvals: readonly WireApproval[];
  readonly pendingApprovals: number;
};

/** Applies what an event says about an agent. "stale": the rest has to be read again. */
export function applyEvent(
  fleet: Fleet,
  event: WireEvent,
): { readonly fleet: Fleet; readonly isStale: boolean } {
  if (event.type !== "agent:status_update") {
    return { fleet, isStale: !HARMLESS.has(event.type) };
  }
  const { agentId, at, status } = event.data;
  if (!fleet.agents.some((agent) => agent.agentId === agentId)) return { fleet, isStale: true };
  const change = definedOf(event.data);
  const changed = changeAgent(fleet, agentId, (agent) => ({
    ...agent,
    ...change,
    startedAt: agent.startedAt ?? (status === "running" ? at : null),
  }));
  return { fleet: changed, isStale: false };
}

/** Events that change nothing in the lists. Every other one is a reason to read them again. */
const HARMLESS: ReadonlySet<WireEvent["type"]> = new Set<WireEvent["type"]>([
  "agent:tool_call",
  "execution:tool_call",
  "execution:updated",
  "alert:raised",
  "alert:delivery",
  "notification:announced",
  "notification:read",
]);

type StatusUpdate = Extract<WireEvent, { type: "agent:status_update" }>["data"];

/** Only the fields of a card; an absent one keeps its value. */
function definedOf(data: StatusUpdate): Partial<AgentCard> {
  const { status, runner, model, toolCallCount, lastMessage, elapsed_ms, usage } = data;
  return {
    status,
    ...(runner !== undefined && { runner }),
    ...(model !== undefined && { model }),
    ...(toolCallCount !== undefined && { toolCallCount }),
    ...(lastMessage !== undefined && { lastMessage }),
    ...(elapsed_ms !== undefined && { elapsed_ms }),
    ...(usage !== undefined && { usage }),
    ...(data.currentTool !== undefined && { currentTool: data.currentTool }),
  };
}

function changeAgent(fleet: Fleet, id: string, change: (agent: AgentCard) => AgentCard): Fleet {
  return {
    ...fleet,
    agents: fleet.agents.map((agent) => (agent.agentId === id ? change(agent) : agent)),
  };
}

export function isLive({ status }: Pick<AgentCard, "status">): boolean {
  return status === "running" || status === "queued";
}

export type Row =
  | { readonly kind: "approval"; readonly id: string; readonly approval: WireApproval }
  | { readonly kind: "task"; readonly id: string; readonly task: WireTask }
  | {
      readonly kind: "group";
      readonly id: string;
      readonly group: WireGroup;
      readonly count: number;
    }
  | { readonly kind: "agent"; readonly id: string; readonly agent: AgentCard };

const OVER = new Set<WireTask["status"]>(["completed", "failed", "cancelled"]);
const MOST_SETTLED = 5;
const MOST_RECENT_TASKS = 5;

/** What can be selected, from top to bottom: what waits, tasks, groups with their agents. */
export function rowsOf(fleet: Fleet): readonly Row[] {
  const approvals = fleet.approvals.map((approval): Row => ({
    kind: "approval",
    id: approval.approvalId,
    approval,
  }));
  const open = fleet.tasks.filter(({ status }) => !OVER.has(status));
  const recent = fleet.tasks.filter(({ status }) => OVER.has(status)).slice(0, MOST_RECENT_TASKS);
  const tasks = [...open, ...recent].map((task): Row => ({ kind: "task", id: task.taskId, task }));
  return [...approvals, ...tasks, ...groupRows(fleet)];
}

function groupRows({ groups, agents }: Fleet): readonly Row[] {
  const byGroup = Map.groupBy(agents, ({ groupId }) => groupId);
  const shown = groups.filter(
    ({ groupId, status }) =>
      status === "active" || (byGroup.get(groupId) ?? []).some((agent) => isLive(agent)),
  );
  // Groups that work come first, so that what moves is on the first screen.
  const sorted = shown.toSorted((one, other) => liveIn(other) - liveIn(one));
  function liveIn({ groupId }: WireGroup): number {
    return (byGroup.get(groupId) ?? []).some((agent) => isLive(agent)) ? 1 : 0;
  }
  return sorted.flatMap((group): Row[] => {
    const members = byGroup.get(group.groupId) ?? [];
    const live = members.filter((agent) => isLive(agent));
    const settled = members.filter((agent) => !isLive(agent)).slice(0, MOST_SETTLED);
    return [
      { kind: "group", id: group.groupId, group, count: members.length },
      ...[...live, ...settled].map((agent): Row => ({ kind: "agent", id: agent.agentId, agent })),
    ];
  });
}

/** The task that a row belongs to. */
export function taskOf(row: Row, { tasks }: Fleet): WireTask | undefined {
  switch (row.kind) {
    case "task":
      return row.task;
    case "approval":
      return tasks.find(({ taskId }) => taskId === row.approval.taskId);
    case "group":
      return tasks.find(({ groupId }) => groupId === row.group.groupId);
    case "agent":
      return tasks.find(({ groupId }) => groupId === row.agent.groupId);
  }
}
