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

/** `forwarded` is the committed intent: it may or may not have reached the upstream server. */
export const TOOL_CALL_TRANSITIONS: Transitions<ToolCallStatus, ToolCallEvent> = {
  forwarded: {
    answered: "done",
    failed: "failed",
    cancelled: "cancelled",
    answer_lost: "outcome_unknown",
  },
  // A person said that it took effect, or that it did not.
  outcome_unknown: { confirmed: "done", denied: "failed" },
  done: {},
  failed: {},
  cancelled: {},
};

export function nextToolCallStatus(status: ToolCallStatus, event: ToolCallEvent): ToolCallStatus {
  return nextState(TOOL_CALL_TRANSITIONS, "The call", status, event);
}

/** One call of an upstream tool that a person checked, by an agent that works on no execution. */
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
  /** What came back, as JSON `{content, structuredContent?, isError}`, up to a cap; null: nothing, or too much. */
  readonly answer: string | null;
  readonly error: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly version: number;
};

/** What tells the calls of an agent apart, without the arguments and answers, which can be large. */
export type AgentCallHead = Pick<
  AgentCall,
  "id" | "server" | "tool" | "argsHash" | "status" | "approvalId"
>;

/** One call of an upstream tool that was let through on behalf of an execution. */
export type ToolCall = AgentCall & {
  readonly taskId: TaskId;
  readonly executionId: ExecutionId;
  /** null: in no step, allowed all the same. */
  readonly stepId: StepId | null;
};
