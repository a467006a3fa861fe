import type { Core } from "../../../app/core.ts";
import type { SlackMessage } from "../../../app/ports/slack-store.ts";
import type { PacedSlackApi } from "../api/create-slack-api.ts";
import { SlackCallFailed } from "../slack-api.ts";
import { GAVE_UP, mayRepost, reposted } from "./final-errors.ts";
import type { Outbox } from "./outbox.ts";

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;
/** A day of failures. */
const MAX_TRIES = 1_440;

/** What the functions that send a message need. */
export type Sending = {
  readonly core: Pick<Core, "store" | "clock" | "log">;
  readonly api: PacedSlackApi;
  readonly outbox: Outbox;
  /** The message will never be shown. */
  readonly onDead: (message: SlackMessage) => void;
};

export function expectFailure(error: unknown): SlackCallFailed {
  if (error instanceof SlackCallFailed) return error;
  throw error;
}

/** Slack shows the rendering that was read with the message; a newer one may exist by now. */
export async function markSent(
  { core, outbox }: Sending,
  { key, desiredHash }: SlackMessage,
  ts?: string,
): Promise<void> {
  const sentAt = core.clock.now();
  const sent = { status: "posted", sentHash: desiredHash, sentAt } as const;
  await outbox.change(key, (row) => ({
    ...row,
    ...sent,
    ts: ts ?? row.ts,
    tries: 0,
    error: null,
    nextAt: 0,
  }));
}

/** Stores what a failed call means for the message. */
export async function settleFailure(
  sending: Sending,
  key: string,
  { failure, code }: SlackCallFailed,
  minMs = 0,
): Promise<void> {
  if (failure === "refused") return settleRefusal(sending, key, code);
  // The pacer knows for how long.
  if (failure === "limited") return;
  const { core, outbox } = sending;
  const now = core.clock.now();
  await outbox.change(key, (row) => {
    const backOff = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(row.tries, 10));
    return { ...row, tries: row.tries + 1, error: code, nextAt: now + Math.max(minMs, backOff) };
  });
  const row = await core.store.getSlackMessage(key);
  if (row && row.tries >= MAX_TRIES) await endMessage(sending, key, GAVE_UP);
}

/** Slack will always refuse it: the message ends, or is posted once more if a person is needed. */
export async function settleRefusal(sending: Sending, key: string, code: string): Promise<void> {
  const { core, outbox } = sending;
  const message = await core.store.getSlackMessage(key);
  if (!message || !mayRepost(message, code)) return endMessage(sending, key, code);
  const entry = { action: "slack.message_reposted", error: code } as const;
  await outbox.audit(key, entry, (row) => ({ ...reposted(row), error: code }));
}

export async function endMessage(
  { core, outbox, onDead }: Sending,
  key: string,
  code: string,
): Promise<void> {
  const entry = { action: "slack.message_failed", error: code } as const;
  const dead = await outbox.audit(key, entry, (row) => ({ ...row, status: "dead", error: code }));
  core.log.warn("A message cannot be shown in Slack.", { key, error: code });
  if (dead) onDead(dead);
}
