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
  if (event.type === "agent:completed") return [{ kind: "agent_settled", id: event.agentId }];
  if (event.type === "task:created" || event.type === "task:updated") return ofTask(event);
  if (event.type === "approval:closed") return ofQuestion(event);
  if (event.type === "approval:decided" || event.type === "approval:expired") {
    return [...ofTask(event), ...ofQuestion(event)];
  }
  return [];
}

function ofTask({ taskId }: Pick<AppEvent, "taskId">): readonly Job[] {
  return taskId ? [{ kind: "task_due", id: taskId }] : [];
}

type AnswerEvent = EventOf<"approval:decided" | "approval:expired" | "approval:closed">;

/** A stage may wait for the answer. */
function ofQuestion({ data: { kind, approvalId } }: AnswerEvent): readonly Job[] {
  return kind === "question" ? [{ kind: "question_answered", id: approvalId }] : [];
}
