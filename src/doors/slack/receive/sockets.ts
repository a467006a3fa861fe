import { setTimeout as sleep } from "node:timers/promises";
import { SocketModeClient } from "@slack/socket-mode";
import type { Log } from "../../../app/ports/world.ts";
import { fieldsOf } from "../../../base/narrow.ts";
import type { SendAck } from "./ack.ts";
import { createBoltLog } from "./bolt-log.ts";
import type { Inbox } from "./inbox.ts";

export type SlackSockets = { close(): Promise<void> };

export type SocketsOptions = {
  readonly appToken: string;
  /** Another address of the Web API, for tests. */
  readonly apiUrl: string | undefined;
  readonly inbox: Pick<Inbox, "receive">;
  readonly log: Log;
};

/** While Slack renews one connection, the other one receives. */
const SOCKETS = 2;
const CALL_MS = 10_000;
const HELLO_MS = 30_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;
/** A connection that ends sooner counts as a failure, so that reconnecting is not a busy loop. */
const STABLE_MS = 10_000;
const CLOSE_MS = 1_000;

/** Keeps two connections to Slack open until they are closed. Slack may be unreachable at first. */
export function openSockets(options: SocketsOptions): SlackSockets {
  const ending = new AbortController();
  const kept = Array.from({ length: SOCKETS }, () => keepOpen(options, ending.signal));
  return {
    async close() {
      ending.abort();
      await Promise.race([Promise.allSettled(kept), sleep(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}

async function keepOpen(options: SocketsOptions, signal: AbortSignal): Promise<void> {
  const { log } = options;
  const client = createClient(options);
  const disconnect = () => void client.disconnect().catch(() => undefined);
  signal.addEventListener("abort", disconnect, { once: true });
  for (let failures = 0; !signal.aborted;) {
    const since = Date.now();
    const ended = new Promise<void>((resolve) => client.once("disconnected", () => resolve()));
    try {
      await withTimeout(client.start());
      if (failures > 1) log.info("Connected to Slack again.");
      await ended;
    } catch (error) {
      if (failures === 1) {
        const why = error instanceof Error ? error.message : "the connection ended";
        const hint = "Run kuromajutsu slack doctor if it does not.";
        log.warn("Cannot connect to Slack; trying again until it works.", { error: why, hint });
      }
      disconnect();
    }
    failures = Date.now() - since >= STABLE_MS ? 0 : failures + 1;
    const delay = failures === 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** failures);
    await sleep(delay, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/**
 * The client's own reconnecting is off: it waits five seconds, and if Slack is unreachable at that
 * moment it leaves a rejected promise unhandled, which would end the daemon.
 */
function createClient({ appToken, apiUrl, inbox, log }: SocketsOptions): SocketModeClient {
  const client = new SocketModeClient({
    appToken,
    autoReconnectEnabled: false,
    logger: createBoltLog(log),
    clientOptions: {
      ...(apiUrl !== undefined && { slackApiUrl: apiUrl }),
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: CALL_MS,
    },
  });
  client.on("slack_event", ({ body, ack }: { body: unknown; ack: SendAck }) => {
    inbox.receive(fieldsOf(body), ack).catch((error: unknown) => {
      // Not stored and not acknowledged: Slack delivers it again.
      log.error("A request of Slack could not be stored.", { error: String(error) });
    });
  });
  return client;
}

/** Slack greets a new connection at once. */
async function withTimeout(work: Promise<unknown>): Promise<void> {
  const ending = new AbortController();
  const late = sleep(HELLO_MS, undefined, { signal: ending.signal, ref: false }).then(() => {
    throw new Error("Slack did not greet the connection");
  });
  try {
    await Promise.race([work, late]);
  } finally {
    late.catch(() => undefined);
    ending.abort();
  }
}
