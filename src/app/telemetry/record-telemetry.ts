import type { Agent } from "../../domain/agents/agent.ts";
import { isOver } from "../../domain/tasks/execution.ts";
import {
  agentSpan,
  approvalSpan,
  callSpan,
  executionSpan,
  groupSpan,
  providerOf,
  taskSpan,
  type Span,
} from "../../domain/telemetry/span.ts";
import type { Core } from "../core.ts";
import type { Gauges, Metric, Telemetry } from "../ports/telemetry.ts";
import { rootGroupOf } from "./root-group.ts";

const MS = 1_000;

/**
 * Turns rows whose work has ended into spans and metrics. Ids of spans follow from ids of rows, so a
 * daemon that was restarted in between needs no memory of what had begun.
 */
export function recordTelemetry(core: Core, telemetry: Telemetry): () => void {
  const attempt = (record: () => Promise<void>): void => {
    record().catch((error: unknown) =>
      core.log.warn("A span could not be recorded.", { error: String(error) }),
    );
  };
  // One server is enough: with several, each would count the same work.
  const subscriptions = [
    core.events.onOwn(["agent:completed"], ({ agentId }) =>
      attempt(() => recordAgent(core, telemetry, agentId)),
    ),
    core.events.onOwn(["execution:tool_call", "agent:tool_call"], ({ type, data }) => {
      if (data.status === "forwarded") return;
      attempt(() => recordCall(core, telemetry, type, data.callId));
    }),
    core.events.onOwn(["approval:decided", "approval:expired", "approval:closed"], ({ data, at }) =>
      attempt(() => recordApproval(core, telemetry, data.approvalId, at)),
    ),
    core.events.onOwn(["execution:updated"], ({ data }) =>
      attempt(() => recordExecution(core, telemetry, data.executionId)),
    ),
    core.events.onOwn(["task:updated"], ({ data }) =>
      attempt(() => recordTask(core, telemetry, data.taskId)),
    ),
    core.events.onOwn(["group:deleted"], ({ groupId, at }) =>
      attempt(() => recordGroup(core, telemetry, groupId, at)),
    ),
  ];
  telemetry.gauges(() => readGauges(core));
  return () => {
    for (const end of subscriptions) end();
  };
}

async function recordAgent(core: Core, telemetry: Telemetry, agentId: string): Promise<void> {
  const agent = await core.store.getAgent(agentId);
  if (!agent || agent.endedAt === null) return;
  const result = await core.store.getResult(agent.id);
  const span = agentSpan(agent, result, await rootGroupOf(core, agent.groupId));
  telemetry.span(span);
  const about = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.provider.name": providerOf(agent.runner),
    "gen_ai.request.model": agent.model,
  };
  measureDuration(telemetry, "agentDuration", span, about);
  if (!result?.usage) return;
  const { inputTokens, outputTokens } = result.usage;
  telemetry.measure("tokenUsage", inputTokens, { ...about, "gen_ai.token.type": "input" });
  telemetry.measure("tokenUsage", outputTokens, { ...about, "gen_ai.token.type": "output" });
}

async function recordCall(
  core: Core,
  telemetry: Telemetry,
  type: "execution:tool_call" | "agent:tool_call",
  callId: string,
): Promise<void> {
  const { store } = core;
  const isOfTask = type === "execution:tool_call";
  const call = await (isOfTask ? store.getToolCall(callId) : store.getAgentCall(callId));
  const agent = call && (await store.getAgent(call.agentId));
  if (!call || !agent) return;
  const span = callSpan(call, agent, await rootGroupOf(core, agent.groupId));
  telemetry.span(span);
  measureDuration(telemetry, "upstreamDuration", span, {
    "mcp.method.name": "tools/call",
    "gen_ai.tool.name": call.tool,
    "kuromajutsu.mcp.server": call.server,
  });
}

async function recordApproval(
  core: Core,
  telemetry: Telemetry,
  approvalId: string,
  at: number,
): Promise<void> {
  const approval = await core.store.getApproval(approvalId);
  if (!approval) return;
  const agent = approval.agentId ? await core.store.getAgent(approval.agentId) : undefined;
  const span = {
    ...approvalSpan(approval, agent, await rootGroupOfAgent(core, agent)),
    endedAt: approval.decidedAt ?? at,
  };
  telemetry.span(span);
  measureDuration(telemetry, "approvalWait", span, {
    "kuromajutsu.approval.kind": approval.kind,
    "kuromajutsu.approval.status": approval.status,
  });
}

async function recordExecution(core: Core, telemetry: Telemetry, id: string): Promise<void> {
  const execution = await core.store.getExecution(id);
  if (!execution || !isOver(execution) || execution.endedAt === null) return;
  telemetry.span(executionSpan(execution, execution.endedAt));
}

async function recordTask(core: Core, telemetry: Telemetry, id: string): Promise<void> {
  const task = await core.store.getTask(id);
  if (!task || task.endedAt === null) return;
  const span = taskSpan(task, task.endedAt);
  telemetry.span(span);
  measureDuration(telemetry, "taskDuration", span, { "kuromajutsu.task.status": task.status });
}

async function recordGroup(core: Core, telemetry: Telemetry, id: string, at: number) {
  const group = await core.store.getGroup(id);
  // A task's own group has the span of the task.
  if (!group || (await core.store.getTaskOfGroup(group.id))) return;
  telemetry.span(groupSpan(group, await rootGroupOf(core, group.id), at));
}

function measureDuration(
  telemetry: Telemetry,
  metric: Metric,
  { startedAt, endedAt, error }: Span,
  attributes: Span["attributes"],
): void {
  const about = error === null ? attributes : { ...attributes, "error.type": error };
  telemetry.measure(metric, Math.max(0, endedAt - startedAt) / MS, about);
}

async function readGauges({ store }: Core): Promise<Gauges> {
  const { live, liveOrchestrators, liveReserved, waiting } = await store.countByProcess();
  return {
    agentsRunning: live + liveOrchestrators + liveReserved,
    agentsQueued: waiting,
    approvalsPending: await store.countPendingApprovals(),
  };
}

async function rootGroupOfAgent(core: Core, agent: Agent | undefined): Promise<string> {
  return agent ? rootGroupOf(core, agent.groupId) : "";
}
