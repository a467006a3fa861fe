import { setTimeout as sleep } from "node:timers/promises";
import type { Core } from "../../../app/core.ts";
import type { SlackMessage } from "../../../app/ports/slack-store.ts";
import { runCoalesced } from "../../../base/run-coalesced.ts";
import { SlackCallFailed } from "../slack-api.ts";
import { createOutbox } from "./outbox.ts";
import { nextCall, sendMessage } from "./send-message.ts";
import { settleFailure, type Sending } from "./sending.ts";

/**
 * Between two changes of one card. With many cards the pacer makes it longer: it lets 45 changes a
 * minute through, one after the other, and the card that was sent longest ago is first. So N cards
 * change every 1.3 N seconds.
 */
const MIN_GAP_MS = 3_000;
const MAX_PARALLEL = 8;
const PAGE = 500;
/** A wake-up can be lost if the store failed. */
const SAFETY_POLL_MS = 30_000;
const CLOSE_WITHIN_MS = 11_000;

export type SenderOptions = Omit<Sending, "outbox"> & {
  /** Runs `act` later; returns a function that cancels it. */
  readonly later?: (act: () => void, ms: number) => () => void;
};

export type Sender = {
  /** There may be something to send. */
  wake(): void;
  /** Resolves when everything that may be sent now is sent. */
  idle(): Promise<void>;
  /** Waits for calls under way, but not for long: the next sender finds out what came of them. */
  close(): Promise<void>;
};

/**
 * Sends messages as they should look: the newest rendering only, what needs a person and final
 * states first, and progress at a pace that leaves room for them.
 */
export function createSender(options: SenderOptions): Sender {
  const { core, api, later = setTimer } = options;
  const sending: Sending = { ...options, outbox: createOutbox(core) };
  const underWay = new Map<string, Promise<void>>();
  let cancelTimer: (() => void) | undefined;
  let isClosed = false;

  async function round(): Promise<void> {
    if (isClosed) return;
    cancelTimer?.();
    let nextMs = SAFETY_POLL_MS;
    try {
      const messages = await core.store.listUnsentSlackMessages(PAGE);
      const isNext = firstOfThread(core);
      for (const message of messages.toSorted(byUrgency)) {
        if (underWay.size >= MAX_PARALLEL) break;
        if (underWay.has(message.key) || !(await isNext(message))) continue;
        const waitMs = waitFor(message) || api.takeTurn(nextCall(message));
        if (waitMs > 0) nextMs = Math.min(nextMs, waitMs);
        else start(message);
      }
    } catch (error) {
      core.log.error("Messages for Slack could not be read.", { error: String(error) });
    }
    if (!isClosed) cancelTimer = later(wake, nextMs);
  }

  function waitFor(message: SlackMessage): number {
    const now = core.clock.now();
    const gapEnd = isProgress(message) ? (message.sentAt ?? 0) + MIN_GAP_MS : 0;
    return Math.max(0, message.nextAt - now, gapEnd - now);
  }

  function start(message: SlackMessage): void {
    const sent = sendMessage(sending, message)
      .catch((error: unknown) => afterBug(sending, message.key, error))
      .finally(() => {
        underWay.delete(message.key);
        wake();
      });
    underWay.set(message.key, sent);
  }

  const runRound = runCoalesced(round);
  function wake(): void {
    void runRound();
  }

  return {
    wake,
    async idle() {
      await runRound();
      while (underWay.size > 0) {
        await Promise.all(underWay.values());
        await runRound();
      }
    },
    async close() {
      isClosed = true;
      cancelTimer?.();
      const patience = sleep(CLOSE_WITHIN_MS, undefined, { ref: false });
      await Promise.race([Promise.all(underWay.values()), patience]);
      await runRound();
    },
  };
}

/** Without a back-off a mistake of ours would call Slack in a loop. */
async function afterBug(sending: Sending, key: string, error: unknown): Promise<void> {
  const { log } = sending.core;
  log.error("A message for Slack failed.", { key, error: String(error) });
  await settleFailure(sending, key, new SlackCallFailed("lost", "unexpected")).catch(
    (reason: unknown) => log.error("A message could not be stored.", { error: String(reason) }),
  );
}

function setTimer(act: () => void, ms: number): () => void {
  const timer = setTimeout(act, ms).unref();
  return () => clearTimeout(timer);
}

/** Inside a class the one that was sent longest ago is first. */
function byUrgency(a: SlackMessage, b: SlackMessage): number {
  return urgencyClass(a) - urgencyClass(b) || (a.sentAt ?? a.createdAt) - (b.sentAt ?? b.createdAt);
}

/** 0: a person is needed; 1: a final state; 2: a new message; 3: progress. */
function urgencyClass({ priority, ts }: SlackMessage): number {
  return priority === 2 && ts !== null ? 3 : priority;
}

function isProgress(message: SlackMessage): boolean {
  return urgencyClass(message) === 3;
}

/** Cards of a task appear in its order: a card waits until the ones before it are there. */
function firstOfThread({ store }: Pick<Core, "store">) {
  const first = new Map<string, string | undefined>();
  return async ({ key, ts, taskId }: SlackMessage): Promise<boolean> => {
    if (ts !== null || taskId === null) return true;
    if (!first.has(taskId)) {
      const all = await store.listSlackMessagesOfTask(taskId);
      first.set(taskId, all.find(({ status }) => status === "new" || status === "posting")?.key);
    }
    return first.get(taskId) === key;
  };
}
