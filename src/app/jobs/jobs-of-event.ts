import type { AppEvent, EventOf } from "../../contract/events/events.ts";
import type { Job } from "../ports/jobs.ts";

/** Events after which something must be done; the transaction that emits one also stores its jobs. */
export const JOB_EVENTS = [
  "agent:completed",
  "task:created",
  "task:updated",
  "approval:decided",
  "approval:expired",
  "approval:closed",
] as const;

export function jobsOfEvent(event: AppEvent): readonly Job[] {
  switch (event.type) {
    case "agent:completed":
      return [{ kind: "agent_settled", id: event.agentId }];
    case "task:created":
    case "task:updated":
      return ofTask(event.taskId);
    case "approval:decided":
    case "approval:expired":
      return [...ofTask(event.taskId), ...ofQuestion(event)];
    case "approval:closed":
      return ofQuestion(event);
    default:
      return [];
  }
}

function ofTask(id: string | null | undefined): readonly Job[] {
  return id ? [{ kind: "task_due", id }] : [];
}

type AnswerEvent = EventOf<"approval:decided" | "approval:expired" | "approval:closed">;

/** A stage may wait for the answer. */
function ofQuestion({ data: { kind, approvalId } }: AnswerEvent): readonly Job[] {
  return kind === "question" ? [{ kind: "question_answered", id: approvalId }] : [];
}
