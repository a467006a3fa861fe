import type { Core } from "../../../app/core.ts";
import type { SlackMessage } from "../../../app/ports/slack-store.ts";
import type { UnitOfWork } from "../../../app/ports/store.ts";
import type { DesiredMessage, Urgency } from "./desired-message.ts";
import { isRepairable, mayRepost, reposted, revived } from "./final-errors.ts";

/** Where a message is shown, and what it is about. */
export type MessagePlace = Pick<
  SlackMessage,
  "team" | "channel" | "threadTs" | "taskId" | "groupId"
>;

export type PutDesired = {
  readonly place: MessagePlace;
  readonly message: DesiredMessage;
  /** Try messages again that died of something that may be repaired by now. */
  readonly isRevival?: boolean;
};

/** Stores how a message should look. True: there is something to send. */
export async function putDesired(
  core: Pick<Core, "clock" | "tokens">,
  unit: UnitOfWork,
  { place, message, isRevival = false }: PutDesired,
): Promise<boolean> {
  const desired = JSON.stringify(message.content);
  const desiredHash = core.tokens.hash(desired);
  const before = await unit.getSlackMessage(message.key);
  const shown = { desired, desiredHash, priority: priorityOf(message.urgency, before) };
  if (!before) {
    const createdAt = core.clock.now();
    await unit.putSlackMessage({ ...NEW, ...place, key: message.key, ...shown, createdAt });
    return true;
  }
  const next = resurrected({ ...before, ...shown }, isRevival);
  if (isSame(next, before)) return false;
  await unit.putSlackMessage(next);
  return true;
}

const NEW = {
  ts: null,
  sentHash: null,
  status: "new",
  tries: 0,
  reposts: 0,
  error: null,
  nextAt: 0,
  sentAt: null,
} as const;

function resurrected(message: SlackMessage, isRevival: boolean): SlackMessage {
  if (message.status !== "dead") return message;
  if (isRevival && isRepairable(message)) return revived(message);
  return mayRepost(message, message.error ?? "") ? reposted(message) : message;
}

function priorityOf(urgency: Urgency, before: SlackMessage | undefined): SlackMessage["priority"] {
  if (urgency === "person") return 0;
  if (urgency === "final") return 1;
  return before === undefined || before.ts === null ? 2 : 3;
}

function isSame(a: SlackMessage, b: SlackMessage): boolean {
  return a.desiredHash === b.desiredHash && a.priority === b.priority && a.status === b.status;
}
