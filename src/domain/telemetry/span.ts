import { spanIdOf, traceIdOf } from "../../base/trace-ids.ts";
import type { Agent } from "../agents/agent.ts";
import type { AgentResult } from "../agents/result.ts";
import type { RunnerId } from "../agents/runner.ts";
import type { Approval } from "../approvals/approval.ts";
import type { AgentCall } from "../gateway/tool-call.ts";
import type { Group } from "../groups/group.ts";
import type { Execution } from "../tasks/execution.ts";
import type { Task } from "../tasks/task.ts";

export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Something that took time. Spans never contain texts of people or agents, arguments or answers. */
export type Span = {
  readonly name: string;
  /** `client`: a call of another program; `server`: a request of another program. */
  readonly kind: "internal" | "client" | "server";
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  /** A short code, such as the status of an agent; null: it succeeded. */
  readonly error: string | null;
};

/** The names of the GenAI semantic conventions for the vendor of a model. */
const PROVIDERS: Readonly<Partial<Record<RunnerId, string>>> = {
  claude: "anthropic",
  codex: "openai",
  gemini: "gcp.gemini",
};

export const providerOf = (runner: RunnerId): string => PROVIDERS[runner] ?? runner;

/** The root of the trace that a row belongs to: its task, else the outermost group. */
export function rootIdOf(row: { readonly taskId: string | null }, rootGroupId: string): string {
  return row.taskId ?? rootGroupId;
}

export function groupSpan(group: Group, rootGroupId: string, endedAt: number): Span {
  return {
    name: `group ${group.mode}`,
    kind: "internal",
    traceId: traceIdOf(rootGroupId),
    spanId: spanIdOf(group.id),
    parentSpanId: group.id === rootGroupId ? null : spanIdOf(group.parentGroupId ?? rootGroupId),
    startedAt: group.createdAt,
    endedAt,
    attributes: { "kuromajutsu.group.id": group.id, "kuromajutsu.group.mode": group.mode },
    error: null,
  };
}

export function taskSpan(task: Task, endedAt: number): Span {
  return {
    name: "task",
    kind: "internal",
    traceId: traceIdOf(task.id),
    spanId: spanIdOf(task.id),
    parentSpanId: null,
    startedAt: task.createdAt,
    endedAt,
    attributes: {
      "gen_ai.operation.name": "invoke_workflow",
      "kuromajutsu.task.id": task.id,
      "kuromajutsu.task.status": task.status,
      "kuromajutsu.task.priority": task.priority,
      "kuromajutsu.task.door": task.door,
    },
    error: task.status === "failed" ? "failed" : null,
  };
}

export function executionSpan(execution: Execution, endedAt: number): Span {
  return {
    name: `execution ${execution.attempt}`,
    kind: "internal",
    traceId: traceIdOf(execution.taskId),
    spanId: spanIdOf(execution.id),
    parentSpanId: spanIdOf(execution.taskId),
    startedAt: execution.createdAt,
    endedAt,
    attributes: {
      "kuromajutsu.task.id": execution.taskId,
      "kuromajutsu.execution.id": execution.id,
      "kuromajutsu.execution.status": execution.status,
      "kuromajutsu.execution.steps": execution.steps.length,
    },
    error: execution.status === "failed" ? "failed" : null,
  };
}

export function agentSpan(
  agent: Agent,
  result: AgentResult | undefined,
  rootGroupId: string,
): Span {
  const endedAt = agent.endedAt ?? agent.createdAt;
  const usage = result?.usage;
  return {
    name: `invoke_agent ${agent.role}`,
    kind: "client",
    traceId: traceIdOf(rootIdOf(agent, rootGroupId)),
    spanId: spanIdOf(agent.id),
    parentSpanId: spanIdOf(agent.executionId ?? agent.taskId ?? agent.groupId),
    startedAt: agent.startedAt ?? endedAt,
    endedAt,
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": providerOf(agent.runner),
      "gen_ai.agent.id": agent.id,
      "gen_ai.agent.name": agent.role,
      "gen_ai.request.model": agent.model,
      ...(result?.reportedModel !== undefined && { "gen_ai.response.model": result.reportedModel }),
      ...(usage && {
        "gen_ai.usage.input_tokens": usage.inputTokens,
        "gen_ai.usage.output_tokens": usage.outputTokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cacheReadTokens,
        "gen_ai.usage.cache_creation.input_tokens": usage.cacheWriteTokens,
      }),
      "kuromajutsu.agent.status": agent.status,
      "kuromajutsu.agent.runner": agent.runner,
      "kuromajutsu.agent.tool_calls": result?.toolCallCount ?? 0,
      "kuromajutsu.group.id": agent.groupId,
      ...(agent.taskId !== null && { "kuromajutsu.task.id": agent.taskId }),
      ...(result?.rehearsal && { "kuromajutsu.rehearsal": true }),
    },
    error: agentError(agent, result),
  };
}

function agentError(agent: Agent, result: AgentResult | undefined): string | null {
  if (agent.status === "resultReported") return result?.status === "failure" ? "failure" : null;
  return agent.status === "completed" ? null : agent.status;
}

/** A call that the gateway forwarded to an upstream server. */
export function callSpan(call: AgentCall, agent: Agent, rootGroupId: string): Span {
  return {
    name: `tools/call ${call.tool}`,
    kind: "client",
    traceId: traceIdOf(rootIdOf(agent, rootGroupId)),
    spanId: spanIdOf(call.id),
    parentSpanId: spanIdOf(agent.id),
    startedAt: call.startedAt,
    endedAt: call.endedAt ?? call.startedAt,
    attributes: {
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": call.tool,
      "gen_ai.tool.call.id": call.id,
      "gen_ai.agent.id": agent.id,
      "kuromajutsu.mcp.server": call.server,
      "kuromajutsu.call.status": call.status,
    },
    error: call.status === "done" ? null : call.status,
  };
}

/** The time that people took to decide. */
export function approvalSpan(
  approval: Approval,
  agent: Agent | undefined,
  rootGroupId: string,
): Span {
  const taskId = approval.taskId ?? agent?.taskId ?? null;
  const parent = approval.executionId ?? taskId ?? agent?.id ?? null;
  return {
    name: `approval ${approval.kind}`,
    kind: "internal",
    traceId: traceIdOf(rootIdOf({ taskId }, rootGroupId)),
    spanId: spanIdOf(approval.id),
    parentSpanId: parent === null ? null : spanIdOf(parent),
    startedAt: approval.createdAt,
    endedAt: approval.decidedAt ?? approval.createdAt,
    attributes: {
      "kuromajutsu.approval.id": approval.id,
      "kuromajutsu.approval.kind": approval.kind,
      "kuromajutsu.approval.status": approval.status,
      ...(taskId !== null && { "kuromajutsu.task.id": taskId }),
    },
    error: null,
  };
}
