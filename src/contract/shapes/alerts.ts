import { z } from "zod";
import { type Alert, ALERT_KINDS, ALERT_STATUSES } from "../../domain/alerts/alert.ts";
import { iso, isoOrNull } from "./iso.ts";

export const alertShape = z.object({
  alertId: z.string(),
  kind: z.enum(ALERT_KINDS),
  target: z
    .string()
    .describe("`browser`, `webhook:<name>`, `slack:<channel>` or `slack:person:<id>`"),
  status: z.enum(ALERT_STATUSES).describe("`dropped`: a person had decided before it was sent"),
  title: z.string(),
  detail: z.string().nullable(),
  taskId: z.string().nullable(),
  groupId: z.string().nullable(),
  agentId: z.string().nullable(),
  approvalId: z.string().nullable(),
  requester: z.string().nullable(),
  recipients: z.array(z.string()).readonly().nullable().describe("Ids of people; null: everyone"),
  messageId: z.string().nullable().describe("The same for alerts that were sent together"),
  tries: z.number(),
  error: z.string().nullable().describe("Why the last try failed"),
  createdAt: z.string(),
  dueAt: z.string().nullable().describe("When it is sent, or sent again"),
  endedAt: z.string().nullable(),
});
export type WireAlert = z.infer<typeof alertShape>;

export function wireAlert({ id, ...alert }: Alert): WireAlert {
  return {
    alertId: id,
    kind: alert.kind,
    target: alert.target,
    status: alert.status,
    title: alert.title,
    detail: alert.detail,
    taskId: alert.taskId,
    groupId: alert.groupId,
    agentId: alert.agentId,
    approvalId: alert.approvalId,
    requester: alert.requester,
    recipients: alert.recipients,
    messageId: alert.messageId,
    tries: alert.tries,
    error: alert.error,
    createdAt: iso(alert.createdAt),
    dueAt: isoOrNull(alert.dueAt),
    endedAt: isoOrNull(alert.endedAt),
  };
}

export const testedTargetShape = z.object({
  target: z.string(),
  sent: z.boolean(),
  error: z.string().nullable().describe("Why it was not sent, and what to do"),
  elapsed_ms: z.number(),
});
