import { z } from "zod";
import { notificationShape, wireNotification } from "../../../../contract/task-shapes.ts";
import { defineRoute } from "../../define-route.ts";
import { idText, limit, NO_BODY, NO_PARAMS } from "../inputs.ts";

export const listNotifications = defineRoute({
  method: "get",
  path: "/api/notifications",
  summary: "Notices for agents and whether they have arrived, newest first.",
  params: NO_PARAMS,
  query: z.strictObject({ agentId: idText.optional(), limit: limit(500, 100) }),
  body: NO_BODY,
  answer: z.object({ notifications: z.array(notificationShape) }),
  async run(core, { query }) {
    const found = await core.store.listNotifications(query.agentId, query.limit);
    return { notifications: found.map(wireNotification) };
  },
});
