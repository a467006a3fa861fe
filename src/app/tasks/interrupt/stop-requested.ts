import type { AgentId, TaskId } from "../../../domain/ids.ts";
import { Refusal } from "../../../domain/refusal.ts";
import type { Queries } from "../../ports/store.ts";

/**
 * An agent that was told to stop may begin nothing more: while its notice is not cleared, read or
 * not, and after its report, for as long as the task stays stopped.
 */
export async function requireNotStopped(
  queries: Pick<Queries, "listStopNotifications" | "getAgent" | "getTask">,
  agentId: AgentId,
): Promise<void> {
  const [notice] = await queries.listStopNotifications(agentId);
  if (notice) throw stopRequested(notice.taskId, notice.type);
  const agent = await queries.getAgent(agentId);
  const taskId = agent?.taskId ?? null;
  const task = taskId === null ? undefined : await queries.getTask(taskId);
  if (task?.status === "blocked" || task?.status === "cancelled") {
    throw stopRequested(task.id, task.status);
  }
  if (agent && agent.stopReason !== null) {
    const message = `You are being stopped (${agent.stopReason}); nothing more may be begun.`;
    throw new Refusal("STOP_REQUESTED", message, "End now.");
  }
}

function stopRequested(taskId: TaskId | null, action: string): Refusal {
  return new Refusal(
    "STOP_REQUESTED",
    `Task ${taskId} was ${action}; nothing more may be begun for it.`,
    `Call get_notifications, then report_completed with result "${action}".`,
  );
}
