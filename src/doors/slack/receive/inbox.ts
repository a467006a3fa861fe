import { setTimeout as sleep } from "node:timers/promises";
import type { Core } from "../../../app/core.ts";
import { eachAtMost } from "../../../app/each-at-most.ts";
import type { SlackDelivery } from "../../../app/ports/slack-store.ts";
import { fieldsOf, parseJson, type Fields } from "../../../base/narrow.ts";
import { openAck, type SendAck, type SlackAck } from "./ack.ts";
import { storeDelivery, storeEnd } from "./delivery-rows.ts";
import { readRequest, type RequestHead } from "./read-request.ts";
import { createTimers } from "./timers.ts";

/** A stored request of Slack that is being handled. */
export type SlackRequest = RequestHead & {
  readonly body: Fields;
  readonly ack: SlackAck;
  /** When it was stored. */
  readonly at: number;
  /** Stored by an earlier daemon, or handled before without success: its effect may exist. */
  readonly isRepeated: boolean;
};

export type Inbox = {
  /** Resolves when the request is handled or, after an error, scheduled again. */
  receive(body: unknown, send: SendAck): Promise<void>;
  /** Handles what an earlier daemon has stored and not finished. */
  start(): void;
  /** Waits for requests that are being handled. Later requests are stored for the next daemon. */
  close(): Promise<void>;
};

export type InboxOptions = {
  readonly core: Pick<Core, "store" | "clock" | "log">;
  readonly handle: (request: SlackRequest) => Promise<void>;
  /** Called when the last attempt has failed, so that the sender gets an answer. */
  readonly onGivenUp: (request: SlackRequest) => Promise<void>;
  readonly retryDelaysMs?: readonly number[];
  readonly drainMs?: number;
};

/** Together about three hours: Slack may be unreachable for longer than a moment. */
const RETRY_DELAYS_MS = [1, 5, 30, 120, 300, 600, 900, 1_800, 3_600, 3_600].map((s) => s * 1_000);
const DRAIN_MS = 10_000;
/** Slack's last repetition comes after about six minutes. */
const KEEP_MS = 24 * 3_600_000;
const CLEAN_EVERY_MS = 3_600_000;
const AT_ONCE = 5;
const MAX_DUE = 10_000;

/**
 * Stores each request of Slack before it is acknowledged, so that a crash does not lose it, and
 * handles it once, however often Slack delivers it.
 */
export function createInbox(options: InboxOptions): Inbox {
  const { core, drainMs = DRAIN_MS } = options;
  const running = new Map<string, Promise<void>>();
  const timers = createTimers();
  let isClosing = false;

  async function run(delivery: SlackDelivery, request: SlackRequest): Promise<void> {
    const retryInMs = await handleOnce(options, delivery, request);
    running.delete(delivery.key);
    if (retryInMs === undefined) return;
    const dueAt = core.clock.now() + retryInMs;
    timers.after(retryInMs, () => void runDue(dueAt));
  }

  function track(delivery: SlackDelivery, request: SlackRequest): Promise<void> {
    const work = run(delivery, request);
    running.set(delivery.key, work);
    return work;
  }

  async function repeat(delivery: SlackDelivery): Promise<void> {
    const body = fieldsOf(parseJson(delivery.body));
    const head = readRequest(body);
    if (!head || running.has(delivery.key) || isClosing) return;
    await track(delivery, {
      ...head,
      body,
      at: delivery.at,
      ack: openAck(undefined),
      isRepeated: true,
    });
  }

  async function runDue(until: number): Promise<void> {
    try {
      const due = await core.store.listDueSlackDeliveries(until, MAX_DUE);
      await eachAtMost(AT_ONCE, due, repeat);
    } catch (error) {
      core.log.warn("Stored requests of Slack could not be read.", { error: String(error) });
    }
  }

  async function clean(): Promise<void> {
    timers.after(CLEAN_EVERY_MS, () => void clean());
    const before = core.clock.now() - KEEP_MS;
    await core.store
      .transaction((unit) => unit.deleteSlackDeliveriesBefore(before))
      .catch(() => undefined);
  }

  return {
    async receive(given, send) {
      const body = fieldsOf(given);
      const head = readRequest(body);
      const delivery = head && (await storeDelivery(core, head, body));
      // From here on nothing is lost, so that Slack may stop waiting.
      const ack = openAck(send);
      if (!head || !delivery || isClosing) return ack.send();
      await track(delivery, { ...head, body, at: delivery.at, ack, isRepeated: false });
    },
    start() {
      void runDue(Number.MAX_SAFE_INTEGER);
      void clean();
    },
    async close() {
      isClosing = true;
      timers.close();
      const late = sleep(drainMs, undefined, { ref: false });
      await Promise.race([Promise.allSettled(running.values()), late]);
    },
  };
}

/** One attempt. Returns after how many milliseconds to try again. Never rejects. */
async function handleOnce(
  options: InboxOptions,
  delivery: SlackDelivery,
  request: SlackRequest,
): Promise<number | undefined> {
  const { core, handle, onGivenUp, retryDelaysMs = RETRY_DELAYS_MS } = options;
  const error = await handle(request).then(
    () => undefined,
    (failed: unknown) => (failed instanceof Error ? failed : new Error(String(failed))),
  );
  await request.ack.send();
  try {
    const end = await storeEnd(core, delivery, error, retryDelaysMs);
    if (end === "failed") await onGivenUp(request).catch(() => undefined);
    return typeof end === "string" ? undefined : end.retryInMs;
  } catch (failed) {
    // The row stays new, so the next daemon handles it again.
    const { key } = delivery;
    core.log.error("The end of a Slack request could not be stored.", {
      key,
      error: String(failed),
    });
    return undefined;
  }
}
