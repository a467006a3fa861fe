import type { Core } from "../../../app/core.ts";
import { recordAudit } from "../../../app/people/audit.ts";
import type { SlackMessage } from "../../../app/ports/slack-store.ts";

type OutboxAction = "slack.message_failed" | "slack.message_reposted" | "slack.card_simplified";

export type Outbox = {
  /** Undefined: there is nothing to send any more. */
  read(key: string): Promise<SlackMessage | undefined>;
  /** Marks that a post is under way. Undefined: it is not to be posted any more. */
  claim(key: string): Promise<SlackMessage | undefined>;
  /** Changes the row as it is now: what it should show may have changed meanwhile. */
  change(key: string, change: (message: SlackMessage) => SlackMessage): Promise<void>;
  /** Changes the row and says so in the audit, because people may miss the message. */
  audit(
    key: string,
    entry: { readonly action: OutboxAction; readonly error: string },
    change: (message: SlackMessage) => SlackMessage,
  ): Promise<SlackMessage | undefined>;
};

/** The rows of messages, for the sender. */
export function createOutbox(core: Pick<Core, "store" | "clock">): Outbox {
  const { store } = core;

  async function change(key: string, edit: (message: SlackMessage) => SlackMessage): Promise<void> {
    await store.transaction(async (unit) => {
      const before = await unit.getSlackMessage(key);
      if (before) await unit.putSlackMessage(edit(before));
    });
  }

  return {
    change,
    async read(key) {
      const message = await store.getSlackMessage(key);
      return message && isUnsent(message) ? message : undefined;
    },
    claim(key) {
      return store.transaction(async (unit) => {
        const message = await unit.getSlackMessage(key);
        if (message?.status !== "new" || !isUnsent(message)) return undefined;
        await unit.putSlackMessage({ ...message, status: "posting" });
        return message;
      });
    },
    audit(key, { action, error }, edit) {
      return store.transaction(async (unit) => {
        const before = await unit.getSlackMessage(key);
        if (!before) return undefined;
        const after = edit(before);
        await unit.putSlackMessage(after);
        const { team, channel, taskId, groupId } = after;
        await recordAudit(core, unit, {
          actor: "system",
          action,
          subject: taskId ?? groupId ?? key,
          data: { key, team, channel, error },
        });
        return after;
      });
    },
  };
}

function isUnsent({ status, desiredHash, sentHash }: SlackMessage): boolean {
  return status !== "dead" && desiredHash !== sentHash;
}
