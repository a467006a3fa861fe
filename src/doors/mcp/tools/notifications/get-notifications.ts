import { z } from "zod";
import { requireAgent } from "../../../../app/agents/require-agent.ts";
import { getNotifications as get } from "../../../../app/notifications/get-notifications.ts";
import { iso } from "../../../../contract/shapes/iso.ts";
import type { NotificationContent } from "../../../../domain/notifications/wire-notification.ts";
import { Refusal } from "../../../../domain/refusal.ts";
import { defineTool, type ToolCall } from "../../define-tool.ts";

const notice = z.union([
  z.object({
    type: z.literal("status_change"),
    action: z.enum(["blocked", "cancelled"]),
    task_id: z.string(),
    message: z.string(),
    instruction: z.string(),
    reason: z.string().optional().describe("What a person said about it"),
  }),
  z.object({
    id: z.string(),
    type: z.enum(["message", "replan"]),
    text: z.string(),
    from: z.string(),
    createdAt: z.string(),
  }),
]);

export const getNotifications = defineTool({
  name: "get_notifications",
  description: "Read your notifications when an answer carries one, and do what they say.",
  callers: ["client", "orchestrator", "executor", "agent"],
  hints: { readOnly: false, idempotent: false },
  input: z.strictObject({
    agentId: z.string().optional().describe("Your Agent ID if you have no token"),
  }),
  output: z.object({ notifications: z.array(notice) }),
  async run(call, { agentId }) {
    const notices = await get(call.core, await agentFor(call, agentId));
    return { notifications: notices.map(toWire) };
  },
});

function toWire(told: NotificationContent): z.infer<typeof notice> {
  return told.type === "status_change" ? told : { ...told, createdAt: iso(told.createdAt) };
}

/** The agent whose notifications are read: the caller, or the one that a client names. */
async function agentFor({ core, identity }: ToolCall, agentId: string | undefined) {
  if (identity.kind === "agent") return identity.agentId;
  if (agentId === undefined) {
    throw new Refusal("INVALID_ARGUMENTS", {
      en: [
        "The caller is not an agent, so it has no notifications.",
        "Give the agentId of the agent you read for.",
      ],
      ja: [
        "呼び出し元はエージェントではないので、通知がありません。",
        "どのエージェントの通知かを agentId で指定してください。",
      ],
    });
  }
  const agent = await requireAgent(core.store, agentId);
  return agent.id;
}
