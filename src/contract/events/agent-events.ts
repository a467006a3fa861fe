import { z } from "zod";
import { AGENT_STATUSES } from "../../domain/agents/agent.ts";
import { RESULT_STATUSES } from "../../domain/agents/result.ts";
import { agentCardShape, degradedShape } from "../shapes/agents.ts";
import { defineEvent } from "./define-event.ts";
import { call, count, error, text } from "./fields.ts";

const agentStatus = z.enum(AGENT_STATUSES);
const {
  toolCallCount,
  elapsed_ms,
  lastMessage,
  promptSentAt,
  currentTool,
  lastTool,
  usage,
  spent,
} = agentCardShape.shape;
const degraded = degradedShape.shape;

export const agentEvents = [
  defineEvent("agent:created", "agent", "stored", "An agent was queued.", {
    role: text,
    model: text,
    runner: text,
    status: agentStatus,
    stageIndex: count.nullable(),
  }),
  defineEvent(
    "agent:status_update",
    "agent",
    "both",
    "The state of an agent; every figure is absolute. Stored only when its process started, or when it went back to the queue or to another runner.",
    {
      status: agentStatus,
      runner: text.optional().describe("It was moved to this runner"),
      model: text.optional(),
      toolCallCount: toolCallCount.optional(),
      lastMessage: lastMessage.optional(),
      elapsed_ms: elapsed_ms.optional(),
      promptSentAt,
      currentTool,
      lastTool,
      usage,
      spent,
    },
  ),
  defineEvent(
    "agent:session_lost",
    "agent",
    "stored",
    "The conversation to continue was gone; the agent is queued again, with a new one.",
    {
      status: agentStatus,
      sessionId: text.describe("The lost conversation"),
      taskId: text.nullable(),
    },
  ),
  defineEvent(
    "agent:degraded",
    "agent",
    "stored",
    "An agent runs, but has not connected to our MCP server.",
    { reason: degraded.reason, message: degraded.message, taskId: text.nullable() },
  ),
  defineEvent("agent:connected", "agent", "stored", "A degraded agent has connected after all.", {
    taskId: text.nullable(),
  }),
  defineEvent("agent:result_reported", "agent", "stored", "An agent reported its result.", {
    status: z.enum(RESULT_STATUSES).describe("Of the report, not of the agent"),
    summary: text,
  }),
  defineEvent("agent:completed", "agent", "stored", "An agent ended, or will never start.", {
    status: agentStatus,
    result: z.enum(RESULT_STATUSES).optional(),
    duration_ms: count.optional(),
    error: text.optional().describe("Why it never started"),
  }),
  defineEvent(
    "agent:tool_call",
    "agent",
    "stored",
    "A checked call outside a task was forwarded or has ended.",
    {
      ...call,
      error,
    },
  ),
  defineEvent("agent:left_view", "any", "transient", "Agents of deleted groups left the lists.", {
    agentIds: z.array(text).readonly(),
  }),
] as const;
