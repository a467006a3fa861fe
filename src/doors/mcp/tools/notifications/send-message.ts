import { z } from "zod";
import { sendMessage as send } from "../../../../app/notifications/send-message.ts";
import { NOTIFICATION_STATUSES } from "../../../../domain/notifications/notification.ts";
import { defineTool } from "../../define-tool.ts";

export const sendMessage = defineTool({
  name: "send_message",
  description: "Message a running agent; its next call announces it.",
  callers: ["client", "orchestrator"],
  hints: { readOnly: false, idempotent: false },
  input: z.strictObject({
    agentId: z.string(),
    text: z.string().trim().min(1).max(100_000),
  }),
  output: z.object({
    notificationId: z.string(),
    agentId: z.string(),
    status: z.enum(NOTIFICATION_STATUSES),
  }),
  async run({ core, identity }, { agentId, text }) {
    const from = identity.kind !== "agent" ? "main agent" : identity.agentId;
    const notification = await send(core, identity, { agentId, text, from });
    return {
      notificationId: notification.id,
      agentId: notification.agentId,
      status: notification.status,
    };
  },
});
