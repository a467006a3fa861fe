import { z } from "zod";
import { iso, isoOrNull } from "../../../contract/agent-shapes.ts";
import { NOTIFICATION_STATUSES, NOTIFICATION_TYPES } from "../../../domain/notification.ts";
import { defineRoute } from "../define-route.ts";
import { idText, limit, NO_BODY, NO_PARAMS } from "./inputs.ts";

export const listNotifications = defineRoute({
  method: "get",
  path: "/api/notifications",
  summary: "Notices for agents and whether they have arrived, newest first.",
  params: NO_PARAMS,
  query: z.strictObject({ agentId: idText.optional(), limit: limit(500, 100) }),
  body: NO_BODY,
  answer: z.object({
    notifications: z.array(
      z.object({
        notificationId: z.string(),
        agentId: z.string(),
        type: z.enum(NOTIFICATION_TYPES),
        status: z.enum(NOTIFICATION_STATUSES),
        text: z.string(),
        from: z.string(),
        createdAt: z.string(),
        announcedAt: z.string().nullable(),
        readAt: z.string().nullable(),
      }),
    ),
  }),
  async run(core, { query }) {
    const found = await core.store.listNotifications(query.agentId, query.limit);
    return {
      notifications: found.map((notice) => ({
        notificationId: notice.id,
        agentId: notice.agentId,
        type: notice.type,
        status: notice.status,
        text: notice.text,
        from: notice.from,
        createdAt: iso(notice.createdAt),
        announcedAt: isoOrNull(notice.announcedAt),
        readAt: isoOrNull(notice.readAt),
      })),
    };
  },
});
