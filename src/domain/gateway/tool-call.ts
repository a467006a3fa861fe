import type { AgentId, ApprovalId, ExecutionId, StepId, TaskId, ToolCallId } from "../ids.ts";
import { nextState, type Transitions } from "../transition.ts";

export const TOOL_CALL_STATUSES = [
  "forwarded",
  "done",
  "failed",
  "cancelled",
  "outcome_unknown",
] as const;
export type ToolCallStatus = (typeof TOOL_CALL_STATUSES)[number];

export const TOOL_CALL_EVENTS = [
  "answered",
  "failed",
  "cancelled",
  "answer_lost",
  "confirmed",
  "denied",
] as const;
export type ToolCallEvent = (typeof TOOL_CALL_EVENTS)[number];

/**
 * `forwarded` is the committed intent: the call may or may not have reached the upstream server.
 */
export const TOOL_CALL_TRANSITIONS: Transitions<ToolCallStatus, ToolCallEvent> = {
  forwarded: {
    answered: "done",
    failed: "failed",
    cancelled: "cancelled",
    answer_lost: "outcome_unknown",
  },
  // A person decided that the call took effect, or that it did not.
  outcome_unknown: { confirmed: "done", denied: "failed" },
  done: {},
  failed: {},
  cancelled: {},
};

export function nextToolCallStatus(status: ToolCallStatus, event: ToolCallEvent): ToolCallStatus {
  return nextState(TOOL_CALL_TRANSITIONS, { en: "The call", ja: "呼び出し" }, status, event);
}

/** Whether an answer reached the agent; `cut`: the connection ended before it was handed over. */
export type Delivery = "delivered" | "cut";

/** One call of an upstream tool that a person checked, by an agent without an execution. */
export type AgentCall = {
  readonly id: ToolCallId;
  readonly agentId: AgentId;
  readonly server: string;
  readonly tool: string;
  /** Canonical JSON. */
  readonly args: string;
  readonly argsHash: string;
  readonly status: ToolCallStatus;
  readonly approvalId: ApprovalId | null;
  /**
   * The answer as JSON `{content, structuredContent?, isError}`; null: none, or longer than the
   * limit.
   */
  readonly answer: string | null;
  readonly error: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly version: number;
  /**
   * The server that forwarded it; null: there is only one. A version before this one stored null, too:
   * then it was the host of the agent.
   */
  readonly sentBy: string | null;
  /** The server that is asked to forward it and has not taken it yet; null: none. */
  readonly handedTo: string | null;
  /** null: not known yet, or not stored because one process remembers it. */
  readonly delivery: Delivery | null;
};

/** Identifies a call of an agent, without arguments and answers, which can be large. */
export type AgentCallHead = Pick<
  AgentCall,
  "id" | "server" | "tool" | "argsHash" | "status" | "approvalId"
>;

/** One call of an upstream tool that was forwarded for an execution. */
export type ToolCall = AgentCall & {
  readonly taskId: TaskId;
  readonly executionId: ExecutionId;
  /** null: an unplanned tool that was allowed. */
  readonly stepId: StepId | null;
};
