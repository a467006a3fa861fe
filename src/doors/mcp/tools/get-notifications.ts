import { z } from "zod";
import { getNotifications as get } from "../../../app/get-notifications.ts";
import { agentNotFound } from "../../../app/report-result.ts";
import { iso } from "../../../contract/agent-shapes.ts";
import { NOTIFICATION_TYPES } from "../../../domain/notification.ts";
import { Refusal } from "../../../domain/refusal.ts";
import { defineTool, type ToolCall } from "../define-tool.ts";

export const getNotifications = defineTool({
  name: "get_notifications",
  description:
    "Read what people have told you. Call it whenever a tool response says that there is a notification, and do what it says.",
  callers: ["main", "orchestrator", "agent"],
  hints: { readOnly: false, idempotent: false },
  input: z.strictObject({
    agentId: z.string().optional().describe("Your own Agent ID, if you were given no token"),
  }),
  output: z.object({
    notifications: z.array(
      z.object({
        id: z.string(),
        type: z.enum(NOTIFICATION_TYPES),
        text: z.string(),
        from: z.string(),
        createdAt: z.string(),
      }),
    ),
  }),
  async run(call, { agentId }) {
    const notifications = await get(call.core, await agentFor(call, agentId));
    return {
      notifications: notifications.map(({ id, type, text, from, createdAt }) => ({
        id,
        type,
        text,
        from,
        createdAt: iso(createdAt),
      })),
    };
  },
});

/** Who reads: the caller itself; a client without a token says for whom. */
async function agentFor({ core, identity }: ToolCall, agentId: string | undefined) {
  if (identity.kind === "agent") return identity.agentId;
  if (agentId === undefined) {
    throw new Refusal(
      "INVALID_ARGUMENTS",
      "You are no agent of Kuromajutsu, so there is nothing to read for you.",
      "Give the agentId of the agent you read for.",
    );
  }
  const agent = await core.store.getAgent(agentId);
  if (!agent) throw agentNotFound(agentId);
  return agent.id;
}
