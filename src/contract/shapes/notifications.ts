import { z } from "zod";
import {
  CLEAR_REASONS,
  NOTIFICATION_STATUSES,
  NOTIFICATION_TYPES,
  type Notification,
} from "../../domain/notifications/notification.ts";
import { iso, isoOrNull } from "./iso.ts";

export const notificationShape = z.object({
  notificationId: z.string(),
  agentId: z.string(),
  taskId: z.string().nullable(),
  type: z.enum(NOTIFICATION_TYPES),
  status: z.enum(NOTIFICATION_STATUSES),
  text: z.string(),
  from: z.string(),
  createdAt: z.string(),
  announcedAt: z.string().nullable(),
  readAt: z.string().nullable(),
  clearReason: z.enum(CLEAR_REASONS).nullable(),
});

export type WireNotification = z.infer<typeof notificationShape>;

export function wireNotification(notice: Notification): z.infer<typeof notificationShape> {
  return {
    notificationId: notice.id,
    agentId: notice.agentId,
    taskId: notice.taskId,
    type: notice.type,
    status: notice.status,
    text: notice.text,
    from: notice.from,
    createdAt: iso(notice.createdAt),
    announcedAt: isoOrNull(notice.announcedAt),
    readAt: isoOrNull(notice.readAt),
    clearReason: notice.clearReason,
  };
}
