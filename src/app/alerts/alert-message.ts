import { reasonIn } from "../../contract/reason-texts.ts";
import type { Alert, AlertSubject } from "../../domain/alerts/alert.ts";
import type { Core, Settings } from "../core.ts";
import type { SendResult, AlertMessage, SentAlert } from "../ports/alert-target.ts";

/** Hands a message to the adapter of its target; a bug in there is a failed try. */
export async function sendMessage(
  core: Pick<Core, "alertTargets">,
  target: string,
  message: AlertMessage,
  signal: AbortSignal,
): Promise<SendResult> {
  const [kind = "", ...rest] = target.split(":");
  const adapter = core.alertTargets.get(kind);
  if (!adapter) {
    const reason = `There is no way to send to ${target}: ${kind} is not set up.`;
    return { isSent: false, reason, isFinal: true };
  }
  try {
    return await adapter.send(rest.join(":"), message, signal);
  } catch (error) {
    return { isSent: false, reason: String(error) };
  }
}

/** The address of a page of the dashboard. */
export function urlOf({ alerts }: Pick<Settings, "alerts">, path: string): string | null {
  const { dashboardUrl } = alerts;
  return dashboardUrl === null ? null : dashboardUrl.replace(/\/+$/, "") + path;
}

export function toSentAlert({ settings }: Pick<Core, "settings">, alert: Alert): SentAlert {
  const path = pathOf(alert);
  return {
    id: alert.id,
    kind: alert.kind,
    taskId: alert.taskId,
    groupId: alert.groupId,
    agentId: alert.agentId,
    approvalId: alert.approvalId,
    title: alert.title,
    detail: alert.detail === null ? null : reasonIn(alert.detail, settings.locale),
    requester: alert.requester,
    recipients: alert.recipients,
    createdAt: alert.createdAt,
    path,
    url: urlOf(settings, path),
  };
}

type About = Pick<AlertSubject, "kind" | "taskId" | "groupId" | "agentId" | "approvalId">;

function pathOf({ kind, taskId, groupId, agentId, approvalId }: About): string {
  if (kind === "schedule.paused") return "/schedules";
  if (approvalId !== null) return `/approvals/${approvalId}`;
  if (taskId !== null) return `/tasks/${taskId}`;
  if (agentId !== null) return `/agents/${agentId}`;
  return groupId === null ? "/" : `/groups/${groupId}`;
}
