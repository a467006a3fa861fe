import { isSettled, type Agent } from "../../domain/agents/agent.ts";
import type { AgentProgress } from "../../domain/agents/progress.ts";
import { observedResult, withReport, type AgentResult } from "../../domain/agents/result.ts";
import type { Core, Identity } from "../core.ts";
import { visibleGroups } from "../groups/visible-groups.ts";
import type { Queries } from "../ports/store.ts";
import { agentNotFound } from "./require-agent.ts";

export type AgentStatusView = {
  readonly agent: Agent;
  readonly toolCallCount: number;
  readonly result: AgentResult | null;
};

/** One agent without its stream, to keep the main agent's context small. */
export async function getAgentStatus(
  core: Core,
  identity: Identity,
  agentId: string,
): Promise<AgentStatusView> {
  const agent = await core.store.getAgent(agentId);
  const groups = await visibleGroups(core, identity);
  if (!agent || groups?.has(agent.groupId) === false) throw agentNotFound(agentId);
  return viewOf(core, agent);
}

/** Several agents in the requested order, each once. One unknown id refuses the whole request. */
export async function getAgentStatuses(
  core: Core,
  identity: Identity,
  agentIds: readonly string[],
): Promise<readonly AgentStatusView[]> {
  const ids = [...new Set(agentIds)];
  const groups = await visibleGroups(core, identity);
  const agents = (await core.store.getAgents(ids)).filter(
    ({ groupId }) => groups?.has(groupId) !== false,
  );
  const found = new Map<string, Agent>(agents.map((agent) => [agent.id, agent]));
  const unknown = ids.filter((id) => !found.has(id));
  if (unknown.length > 0) throw agentNotFound(...unknown);
  const views: AgentStatusView[] = [];
  for (const id of ids) {
    const agent = found.get(id);
    if (agent) views.push(await viewOf(core, agent));
  }
  return views;
}

async function viewOf(core: Core, agent: Agent): Promise<AgentStatusView> {
  const progress = await core.store.getProgress(agent.id);
  const found = await currentResult(core, agent, progress);
  const result = found ? await withConflicts(core.store, found) : null;
  return { agent, toolCallCount: progress.toolCallCount, result };
}

/** Other changes may have been captured since the end of the agent. */
export async function withConflicts(
  queries: Pick<Queries, "listOverlapsOf" | "getWorkspaces">,
  result: AgentResult,
): Promise<AgentResult> {
  const { change } = result;
  if (!change) return result;
  const { workspaceId } = change;
  const overlaps = (await queries.listOverlapsOf([workspaceId])).filter(
    ({ level }) => level === "conflict",
  );
  const others = overlaps.map(({ a, b }) => (a === workspaceId ? b : a));
  const found = others.length === 0 ? [] : await queries.getWorkspaces(others);
  return { ...result, change: { ...change, conflictsWith: found.map(({ agentId }) => agentId) } };
}

/**
 * While the process of an agent that has reported still runs, its result includes the observations
 * so far: the report is often the last call but not the last event of the stream.
 */
async function currentResult(
  { store, clock }: Core,
  agent: Agent,
  progress: AgentProgress,
): Promise<AgentResult | undefined> {
  const report =
    isSettled(agent) || agent.reportedAt === null ? undefined : await store.getReport(agent.id);
  if (!report) return store.getResult(agent.id);
  return withReport(observedResult(agent, progress, null, clock.now()), report);
}
