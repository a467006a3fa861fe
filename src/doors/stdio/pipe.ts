import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createClientSide, type ClientSideOptions, MAX_UNSERVED_MS } from "./client-side.ts";
import { createConversation } from "./conversation.ts";
import { serveConnection } from "./serve-connection.ts";

/** Back-off after a connection that the daemon closed unserved, because it has too many. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * start: start a daemon if none runs. wait: only use one that runs, so that a daemon that was stopped
 * on purpose stays stopped until the client sends something. nothing: the client has disconnected.
 */
export type Wanted = "start" | "wait" | "nothing";

export type PipeOptions = ClientSideOptions & {
  /**
   * Connects to the daemon, polls `wanted` meanwhile and calls `onStarting` when it has to start one.
   * Rejects if no daemon can be reached.
   */
  readonly connect: (wanted: () => Wanted, onStarting: () => void) => Promise<Socket | undefined>;
  readonly pause?: (ms: number) => Promise<void>;
};

/**
 * Pipes lines between a client and the daemon, and reconnects when the daemon is replaced. Resolves
 * when the client has disconnected, rejects when no daemon can be reached.
 */
export async function runPipe(options: PipeOptions): Promise<void> {
  const { connect, pause = (ms) => sleep(ms) } = options;
  const conversation = createConversation();
  const client = createClientSide(options, conversation);
  let pauseMs = FIRST_PAUSE_MS;
  /** The sum of the pauses; unlike the clock it cannot jump. */
  let unservedMs = 0;
  for (let isFirst = true; ; isFirst = false) {
    let hasStarted = false;
    const wanted = (): Wanted => {
      if (client.isDone()) return "nothing";
      // An `initialize` that no daemon has answered also needs one.
      return isFirst || client.isHeld() ? "start" : "wait";
    };
    const onStarting = (): void => {
      hasStarted = true;
      if (isFirst) client.daemonStarts();
    };
    const socket = await connect(wanted, onStarting).catch(async (error: unknown) => {
      await client.daemonFailed(error);
      throw error;
    });
    if (!socket) return;
    const { isServed, hasLeft } = await serveConnection(socket, {
      client,
      conversation,
      streams: options,
      isAlive: hasStarted,
    });
    if (hasLeft) return;
    client.answer(conversation.interrupted());
    if (client.isDone()) return;
    if (!isServed) await pause(pauseMs);
    unservedMs = isServed || !client.isHeld() ? 0 : unservedMs + pauseMs;
    if (unservedMs >= MAX_UNSERVED_MS) {
      unservedMs = 0;
      client.giveUp();
    }
    pauseMs = isServed ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}
