import { z } from "zod";
import { sendMessage as send } from "../../../../app/notifications/send-message.ts";
import { actorOf } from "../../../../app/people/require-person.ts";
import { NOTIFICATION_STATUSES } from "../../../../domain/notifications/notification.ts";
import { defineRoute } from "../../define-route.ts";
import { byId, NO_QUERY } from "../inputs.ts";

export const sendMessage = defineRoute({
  method: "post",
  path: "/api/agents/{id}/message",
  summary: "Leave a message for a running agent; it is told on its next tool call.",
  params: byId,
  query: NO_QUERY,
  body: z.strictObject({ text: z.string().trim().min(1).max(100_000) }),
  status: 202,
  answer: z.object({
    notificationId: z.string(),
    agentId: z.string(),
    status: z.enum(NOTIFICATION_STATUSES),
  }),
  async run(core, { params, body }, identity) {
    const sent = await send(core, identity, {
      agentId: params.id,
      text: body.text,
      from: actorOf(identity),
    });
    return { notificationId: sent.id, agentId: sent.agentId, status: sent.status };
  },
});
