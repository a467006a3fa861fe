import type { AgentId, TaskId } from "../../../domain/ids.ts";
import { Refusal } from "../../../domain/refusal.ts";
import type { Queries } from "../../ports/store.ts";

/**
 * Refuses new work by an agent that has an uncleared stop notification (read or not), whose task is
 * blocked or cancelled (also after its report), or that is being stopped.
 */
export async function requireNotStopped(
  queries: Pick<Queries, "listStopNotifications" | "getAgent" | "getTask">,
  agentId: AgentId,
): Promise<void> {
  const [stopNotification] = await queries.listStopNotifications(agentId);
  if (stopNotification) throw stopRequested(stopNotification.taskId, stopNotification.type);
  const agent = await queries.getAgent(agentId);
  const taskId = agent?.taskId ?? null;
  const task = taskId === null ? undefined : await queries.getTask(taskId);
  if (task?.status === "blocked" || task?.status === "cancelled") {
    throw stopRequested(task.id, task.status);
  }
  if (agent && agent.stopReason !== null) {
    const message = `You are being stopped (${agent.stopReason}); you may not begin anything new.`;
    throw new Refusal("STOP_REQUESTED", {
      en: [message, "End now."],
      ja: [
        `あなたは停止中です（${agent.stopReason}）。新しいことは始められません。`,
        "ここで終わってください。",
      ],
    });
  }
}

function stopRequested(taskId: TaskId | null, action: string): Refusal {
  return new Refusal("STOP_REQUESTED", {
    en: [
      `Task ${taskId} was ${action}; you may not begin anything new for it.`,
      `Call get_notifications, then report_completed with result "${action}".`,
    ],
    ja: [
      `タスク ${taskId} は${action === "cancelled" ? "中止" : "ブロック"}されました。新しいことは始められません。`,
      `get_notifications を呼び、次に report_completed を result "${action}" で呼んでください。`,
    ],
  });
}
