import { isSettled, type Agent } from "../../domain/agents/agent.ts";
import type { Notification } from "../../domain/notifications/notification.ts";
import { Refusal } from "../../domain/refusal.ts";
import { statusInJapanese } from "../../domain/status-words.ts";
import { requireAgent } from "../agents/require-agent.ts";
import type { Core, Identity } from "../core.ts";
import { requireOwnAgent } from "../groups/require-own-tree.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { notifyAgent } from "./notify-agent.ts";

export type SendMessage = {
  readonly agentId: string;
  readonly text: string;
  readonly from: string;
};

/** Sends a message to a running agent. The agent's next tool response announces it. */
export async function sendMessage(
  core: Core,
  identity: Identity,
  input: SendMessage,
): Promise<Notification> {
  return core.store.transaction(async (unit) => {
    const agent = await requireAgent(unit, input.agentId);
    await requireOwnAgent(unit, identity, agent);
    if (isSettled(agent)) {
      throw new Refusal("NOTIFICATION_NOT_DELIVERABLE", {
        en: [
          `Agent ${agent.id} has ended (${agent.status}) and cannot read messages.`,
          "Start a new agent with run_agents and put the message into its prompt.",
        ],
        ja: [
          `エージェント ${agent.id} は終わっている（${statusInJapanese(agent.status)}）ので、メッセージを読めません。`,
          "run_agents で新しいエージェントを起動し、プロンプトに書いて伝えてください。",
        ],
      });
    }
    await requireRoomForMessage(unit, identity, agent);
    const { text, from } = input;
    return notifyAgent(core, unit, { agentId: agent.id, type: "message", text, from });
  });
}

/** The most unread messages that other agents may leave for one agent. */
const MAX_UNREAD = 20;

async function requireRoomForMessage(
  unit: UnitOfWork,
  identity: Identity,
  { id }: Agent,
): Promise<void> {
  if (identity.kind !== "agent") return;
  if ((await unit.listOpenNotifications(id)).length < MAX_UNREAD) return;
  throw new Refusal("TOO_MANY_OPEN", {
    en: [
      `${id} has ${MAX_UNREAD} messages that it has not read yet.`,
      "Wait until it has read them: it does so with its next tool call.",
    ],
    ja: [
      `${id} には、まだ読んでいないメッセージが ${MAX_UNREAD} 件あります。`,
      "読み終わるまで待ってください。次のツール呼び出しのときに読みます。",
    ],
  });
}
