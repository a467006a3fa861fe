import type { WireEvent } from "../../../src/contract/events/events.ts";
import type { AgentCard } from "../../../src/contract/shapes/agents.ts";
import type { WireApproval } from "../../../src/contract/shapes/approvals.ts";
import type { WireGroup } from "../../../src/contract/shapes/groups.ts";
import type { WireRunnerProblem } from "../../../src/contract/shapes/health.ts";
import type { WireTask } from "../../../src/contract/shapes/tasks.ts";
import type { LiveStore } from "./store.ts";

type DataOf<Type extends WireEvent["type"]> = Extract<WireEvent, { type: Type }>["data"];
type Maps = {
  agents: Map<string, AgentCard>;
  groups: Map<string, WireGroup>;
  tasks: Map<string, WireTask>;
  approvals: Map<string, WireApproval>;
  problems: Map<string, WireRunnerProblem>;
};
type Table = keyof Maps;

/** Applies a frame to the state. Applying an event twice does no harm: all figures are absolute. */
export function applyEvents(state: LiveStore, events: readonly WireEvent[]): Partial<LiveStore> {
  const maps: Maps = {
    agents: new Map(state.agents),
    groups: new Map(state.groups),
    tasks: new Map(state.tasks),
    approvals: new Map(state.approvals),
    problems: new Map(state.problems),
  };
  const touched = new Set<Table>();
  let { pendingApprovals } = state;
  for (const event of events) {
    if ("pending" in event.data) pendingApprovals = event.data.pending;
    for (const table of [applyOne(maps, event) ?? []].flat()) touched.add(table);
  }
  // An unchanged table keeps its identity, so components that select from it do not render.
  const tables = Object.fromEntries([...touched].map((table) => [table, maps[table]]));
  return pendingApprovals === state.pendingApprovals ? tables : { ...tables, pendingApprovals };
}

/** Answers the tables that changed. */
function applyOne(maps: Maps, event: WireEvent): Table | readonly Table[] | undefined {
  switch (event.type) {
    case "agent:created":
      return addAgent(maps, event.data);
    case "agent:status_update":
      return updateAgent(maps, event.data, event.data.status, event.data);
    case "agent:degraded":
      return degradeAgent(maps, event.data);
    case "agent:connected":
      return changeAgent(maps, event.data.agentId, ({ degraded: _degraded, ...agent }) => agent);
    case "agent:session_lost":
      return changeAgent(maps, event.data.agentId, startedAgain);
    case "agent:result_reported":
      return updateAgent(maps, event.data, "resultReported", {});
    case "agent:completed":
      return endAgent(maps, event.data);
    case "agent:left_view":
      return removeAgents(maps, event.data.agentIds);
    case "group:left_view":
      return leaveView(maps, event.data.groupId);
    case "group:deleted":
      return deleteGroup(maps, event.data.groupId, event.data.at);
    case "task:updated":
      return updateTask(maps, event.data);
    case "approval:decided":
    case "approval:expired":
    case "approval:closed":
      return maps.approvals.delete(event.data.approvalId) ? "approvals" : undefined;
    case "runner:problem":
      return addProblem(maps, event.data);
    case "runner:ready":
      return maps.problems.delete(event.data.runner) ? "problems" : undefined;
    // These change nothing in the state, or refetch.ts reads the row again.
    case "group:created":
    case "group:stage_advanced":
    case "magentic:iteration_started":
    case "magentic:stalled":
    case "magentic:ledger_updated":
    case "agent:tool_call":
    case "task:created":
    case "task:draft_sent_back":
    case "execution:created":
    case "execution:updated":
    case "execution:tool_call":
    case "approval:requested":
    case "approval:voted":
    case "approval:reminded":
    case "approval:extended":
    case "notification:created":
    case "notification:announced":
    case "notification:read":
    case "notification:reopened":
    case "notification:expired":
    case "notification:cleared":
    case "alert:raised":
    case "alert:delivery":
    case "schedule:created":
    case "schedule:updated":
    case "schedule:removed":
    case "schedule:ran":
    case "gateway:server_changed":
    case "gateway:tools_changed":
    case "gateway:tool_quarantined":
    case "gateway:tool_accepted":
    case "healthcheck:model_validation":
    case "healthcheck:role_start":
    case "healthcheck:role_complete":
    case "healthcheck:runner_complete":
    case "healthcheck:complete":
    case "workspace:updated":
    case "workspace:overlaps_changed":
    case "change:commented":
    case "change:sent_back":
    case "merge:updated":
    case "person:signed_out":
    case "config:updated":
      return undefined;
  }
  // Only a page that is older than its daemon gets here.
  event satisfies never;
  return undefined;
}

function addProblem({ problems }: Maps, data: DataOf<"runner:problem">): "problems" {
  const { runner, kind, reason, since, until, resetKnown } = data;
  problems.set(runner, {
    runner,
    kind,
    reason,
    since: new Date(since).toISOString(),
    until: until === null ? null : new Date(until).toISOString(),
    resetKnown,
  });
  return "problems";
}

function addAgent({ agents }: Maps, data: DataOf<"agent:created">): "agents" | undefined {
  const { agentId, groupId = "", role, model, runner, stageIndex, at } = data;
  if (agents.has(agentId)) return undefined;
  agents.set(agentId, {
    agentId,
    groupId,
    role,
    model,
    runner,
    status: "queued",
    startedAt: null,
    createdAt: at,
    endedAt: null,
    elapsed_ms: 0,
    toolCallCount: 0,
    lastMessage: "",
    stageIndex,
  });
  return "agents";
}

/** The fields of a card that events change. */
type Update = Partial<DataOf<"agent:status_update"> & Pick<AgentCard, "endedAt">>;

/** A field that is absent keeps its value; null means that there is none any more. */
function updateAgent(
  { agents }: Maps,
  { agentId, at }: { readonly agentId: string; readonly at: string },
  status: AgentCard["status"],
  changes: Update,
): "agents" | undefined {
  const agent = agents.get(agentId);
  if (!agent) return undefined;
  const { endedAt, elapsed_ms, toolCallCount, lastMessage, promptSentAt } = changes;
  const { currentTool, lastTool, usage, spent, runner, model } = changes;
  // It was put back into the queue: what its last attempt wrote does not count.
  if (status === "queued" && agent.status === "running") {
    agents.set(agentId, startedAgain(agent));
    return "agents";
  }
  agents.set(agentId, {
    ...agent,
    status,
    runner: runner ?? agent.runner,
    model: model ?? agent.model,
    startedAt: agent.startedAt ?? (status === "queued" ? null : at),
    endedAt: endedAt ?? agent.endedAt,
    elapsed_ms: elapsed_ms ?? agent.elapsed_ms,
    toolCallCount: toolCallCount ?? agent.toolCallCount,
    lastMessage: lastMessage ?? agent.lastMessage,
    ...(currentTool !== undefined && { currentTool }),
    ...(lastTool !== undefined && { lastTool }),
    ...(promptSentAt !== undefined && { promptSentAt }),
    ...(usage !== undefined && { usage }),
    ...(spent !== undefined && { spent }),
  });
  return "agents";
}

function degradeAgent(maps: Maps, data: DataOf<"agent:degraded">): "agents" | undefined {
  const { agentId, reason, message } = data;
  return changeAgent(maps, agentId, (agent) => ({ ...agent, degraded: { reason, message } }));
}

function endAgent(maps: Maps, data: DataOf<"agent:completed">): "agents" | undefined {
  const { at, status, duration_ms } = data;
  const ended = { endedAt: at, ...(duration_ms !== undefined && { elapsed_ms: duration_ms }) };
  return updateAgent(maps, data, status, ended);
}

function changeAgent(
  { agents }: Maps,
  agentId: string,
  change: (agent: AgentCard) => AgentCard,
): "agents" | undefined {
  const agent = agents.get(agentId);
  if (!agent) return undefined;
  agents.set(agentId, change(agent));
  return "agents";
}

/** It is queued again; what its first attempt did is no part of it any more. */
function startedAgain(agent: AgentCard): AgentCard {
  const { usage: _usage, spent: _spent, promptSentAt: _sent, degraded: _, ...rest } = agent;
  return {
    ...rest,
    status: "queued",
    startedAt: null,
    elapsed_ms: 0,
    toolCallCount: 0,
    lastMessage: "",
    currentTool: null,
    lastTool: null,
  };
}

function removeAgents({ agents }: Maps, ids: readonly string[]): "agents" | undefined {
  return ids.filter((id) => agents.delete(id)).length > 0 ? "agents" : undefined;
}

function leaveView(maps: Maps, groupId: string): readonly Table[] {
  for (const [id, agent] of maps.agents) if (agent.groupId === groupId) maps.agents.delete(id);
  maps.groups.delete(groupId);
  return ["agents", "groups"];
}

/** What the event names; the rest follows when the task is read again. */
function updateTask({ tasks }: Maps, data: DataOf<"task:updated">): "tasks" | undefined {
  const { taskId, status, version, at } = data;
  const task = tasks.get(taskId);
  if (!task || version <= task.version) return undefined;
  const title = data.title ?? task.title;
  tasks.set(taskId, { ...task, status, title, version, updatedAt: at });
  return "tasks";
}

function deleteGroup({ groups }: Maps, id: string, at: string): "groups" | undefined {
  const group = groups.get(id);
  if (!group) return undefined;
  groups.set(id, { ...group, status: "deleted", deletedAt: at });
  return "groups";
}
