import type { WireEvent } from "../../../src/contract/live.ts";
import type { AgentCard } from "../../../src/contract/shapes/agents.ts";
import type { WireApproval } from "../../../src/contract/shapes/approvals.ts";
import type { WireGroup } from "../../../src/contract/shapes/groups.ts";
import type { WireTask } from "../../../src/contract/shapes/tasks.ts";
import { AGENT_STATUSES, TASK_STATUSES } from "../../../src/contract/values.ts";
import type { LiveStore } from "./store.ts";
import type { Tokens } from "./tokens.ts";

type Data = Readonly<Record<string, unknown>>;
type Maps = {
  agents: Map<string, AgentCard>;
  groups: Map<string, WireGroup>;
  tasks: Map<string, WireTask>;
  approvals: Map<string, WireApproval>;
};
type Table = keyof Maps;

/** Applies a frame to the state. Applying an event twice does no harm: all figures are absolute. */
export function applyEvents(state: LiveStore, events: readonly WireEvent[]): Partial<LiveStore> {
  const maps: Maps = {
    agents: new Map(state.agents),
    groups: new Map(state.groups),
    tasks: new Map(state.tasks),
    approvals: new Map(state.approvals),
  };
  const touched = new Set<Table>();
  let { pendingApprovals } = state;
  for (const { type, data } of events) {
    if (type.startsWith("approval:"))
      pendingApprovals = numberOf(data, "pending") ?? pendingApprovals;
    for (const table of [applyOne(maps, type, data) ?? []].flat()) touched.add(table);
  }
  // An unchanged table keeps its identity, so components that select from it do not render.
  const tables = Object.fromEntries([...touched].map((table) => [table, maps[table]]));
  return pendingApprovals === state.pendingApprovals ? tables : { ...tables, pendingApprovals };
}

/** Answers the tables that changed. */
function applyOne(maps: Maps, type: string, data: Data): Table | readonly Table[] | undefined {
  switch (type) {
    case "agent:created":
      return addAgent(maps, data);
    case "agent:status_update":
    case "agent:result_reported":
    case "agent:completed":
      return updateAgent(maps, type, data);
    case "agent:left_view":
      return removeAgents(maps, data["agentIds"]);
    case "group:left_view":
      return leaveView(maps, textOf(data, "groupId"));
    case "group:deleted":
      return deleteGroup(maps, textOf(data, "groupId"), textOf(data, "at"));
    case "task:updated":
      return updateTask(maps, data);
    case "approval:decided":
    case "approval:expired":
    case "approval:closed":
      return maps.approvals.delete(textOf(data, "approvalId")) ? "approvals" : undefined;
    default:
      return undefined;
  }
}

function addAgent({ agents }: Maps, data: Data): "agents" | undefined {
  const agentId = textOf(data, "agentId");
  if (agents.has(agentId)) return undefined;
  agents.set(agentId, {
    agentId,
    groupId: textOf(data, "groupId"),
    role: textOf(data, "role"),
    model: textOf(data, "model"),
    runner: textOf(data, "runner"),
    status: "queued",
    startedAt: null,
    createdAt: textOf(data, "at"),
    endedAt: null,
    elapsed_ms: 0,
    toolCallCount: 0,
    lastMessage: "",
    stageIndex: typeof data["stageIndex"] === "number" ? data["stageIndex"] : null,
  });
  return "agents";
}

function updateAgent({ agents }: Maps, type: string, data: Data): "agents" | undefined {
  const agent = agents.get(textOf(data, "agentId"));
  if (!agent) return undefined;
  const at = textOf(data, "at");
  const status = statusOf(agent, type, data);
  const usage = usageIn(data["usage"]) ?? agent.usage;
  const spent = spentIn(data["spent"]) ?? agent.spent;
  agents.set(agent.agentId, {
    ...agent,
    status,
    startedAt: agent.startedAt ?? (status === "queued" ? null : at),
    endedAt: type === "agent:completed" ? at : agent.endedAt,
    elapsed_ms: numberOf(data, "elapsed_ms") ?? numberOf(data, "duration_ms") ?? agent.elapsed_ms,
    toolCallCount: numberOf(data, "toolCallCount") ?? agent.toolCallCount,
    lastMessage: typeof data["lastMessage"] === "string" ? data["lastMessage"] : agent.lastMessage,
    ...toolsIn(data),
    ...(usage && { usage }),
    ...(spent && { spent }),
  });
  return "agents";
}

/** `agent:result_reported` carries the status of the report, not of the agent. */
function statusOf(agent: AgentCard, type: string, data: Data): AgentCard["status"] {
  if (type === "agent:result_reported") return "resultReported";
  return AGENT_STATUSES.find((known) => known === data["status"]) ?? agent.status;
}

function removeAgents({ agents }: Maps, ids: unknown): "agents" | undefined {
  if (!Array.isArray(ids)) return undefined;
  return ids.filter((id) => agents.delete(id)).length > 0 ? "agents" : undefined;
}

function leaveView(maps: Maps, groupId: string): readonly Table[] {
  for (const [id, agent] of maps.agents) if (agent.groupId === groupId) maps.agents.delete(id);
  maps.groups.delete(groupId);
  return ["agents", "groups"];
}

/** What the event names; the rest follows when the task is read again. */
function updateTask({ tasks }: Maps, data: Data): "tasks" | undefined {
  const task = tasks.get(textOf(data, "taskId"));
  const version = numberOf(data, "version") ?? 0;
  if (!task || version <= task.version) return undefined;
  const status = TASK_STATUSES.find((known) => known === data["status"]) ?? task.status;
  const title = typeof data["title"] === "string" ? data["title"] : task.title;
  tasks.set(task.taskId, { ...task, status, title, version, updatedAt: textOf(data, "at") });
  return "tasks";
}

function deleteGroup({ groups }: Maps, id: string, at: string): "groups" | undefined {
  const group = groups.get(id);
  if (!group) return undefined;
  groups.set(id, { ...group, status: "deleted", deletedAt: at });
  return "groups";
}

/** Absent: not mentioned, so what is known stays. null: there is none any more. */
function toolsIn(data: Data): Pick<AgentCard, "currentTool" | "lastTool" | "promptSentAt"> {
  const { currentTool: current, lastTool: last } = data;
  const promptSentAt = textOf(data, "promptSentAt");
  return {
    ...(current !== undefined && { currentTool: isFields(current) ? currentIn(current) : null }),
    ...(last !== undefined && { lastTool: isFields(last) ? lastIn(last) : null }),
    ...(promptSentAt && { promptSentAt }),
  };
}

function currentIn(fields: Data): NonNullable<AgentCard["currentTool"]> {
  return { name: textOf(fields, "name"), startedAt: textOf(fields, "startedAt") || null };
}

function lastIn(fields: Data): NonNullable<AgentCard["lastTool"]> {
  const ok = fields["ok"] === true;
  return { name: textOf(fields, "name"), ok, output: textOf(fields, "output") };
}

function isFields(value: unknown): value is Data {
  return typeof value === "object" && value !== null;
}

function spentIn(value: unknown): AgentCard["spent"] {
  if (typeof value !== "object" || value === null) return undefined;
  const { cost, currency } = { cost: undefined, currency: undefined, ...value };
  return typeof cost === "number" && typeof currency === "string" ? { cost, currency } : undefined;
}

function usageIn(value: unknown): Tokens | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const figures: Data = { ...value };
  return {
    inputTokens: numberOf(figures, "inputTokens") ?? 0,
    outputTokens: numberOf(figures, "outputTokens") ?? 0,
    cacheReadTokens: numberOf(figures, "cacheReadTokens") ?? 0,
    cacheWriteTokens: numberOf(figures, "cacheWriteTokens") ?? 0,
  };
}

export function textOf(data: Data, name: string): string {
  const value = data[name];
  return typeof value === "string" ? value : "";
}

function numberOf(data: Data, name: string): number | undefined {
  const value = data[name];
  return typeof value === "number" ? value : undefined;
}
