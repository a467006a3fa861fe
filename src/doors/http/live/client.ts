import type { WebSocket } from "ws";

/** Back-pressure: above this, a client is sent nothing until its buffer is empty. */
export const MAX_BUFFERED_BYTES = 1024 * 1024;

/** `frames` after a hello; `single`: one message per event, for clients without a hello. */
export type Protocol = "undecided" | "frames" | "single";

/**
 * One connected client. The daemon never waits for it: events it does not read in time are dropped,
 * and it gets a snapshot when it reads again.
 */
export class LiveClient {
  protocol: Protocol = "undecided";
  /** The last seq it was sent; null while a snapshot is being sent. */
  at: number | null = null;
  /** Called when the buffer of a lagging client is empty. */
  onDrained: () => void = () => {};
  /** Whether anything was received since the last ping. */
  #isHeard = true;
  #lag: { since: number; buffered: number } | undefined;
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    const heard = () => (this.#isHeard = true);
    socket.on("pong", heard);
    socket.on("message", heard);
  }

  /** False if it was not sent: the client lags or is gone. The bytes may be shared and must not be changed. */
  send(message: Buffer): boolean {
    if (this.#lag || this.#socket.readyState !== this.#socket.OPEN) return false;
    // Checked before sending, because bytes just sent count as buffered for a moment.
    const buffered = this.#socket.bufferedAmount;
    if (buffered > MAX_BUFFERED_BYTES) {
      this.#lag = { since: performance.now(), buffered };
      return false;
    }
    this.#socket.send(message, { binary: false }, this.#flushed);
    return true;
  }

  /** Disconnects a client that was silent since the last ping or has read nothing for `stuckMs`. */
  beat(stuckMs: number): void {
    if (this.#lag) return this.#watchLag(this.#lag, stuckMs);
    if (!this.#isHeard) return this.end();
    this.#isHeard = false;
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
  }

  /** Immediately: a client that does not read would not read a close frame either. */
  end(): void {
    this.#socket.terminate();
  }

  // A ping would queue behind unread data, so a lagging client is judged by what it reads.
  #watchLag(lag: { since: number; buffered: number }, stuckMs: number): void {
    const buffered = this.#socket.bufferedAmount;
    const now = performance.now();
    if (buffered < lag.buffered) this.#lag = { since: now, buffered };
    else if (now - lag.since >= stuckMs) this.end();
  }

  readonly #flushed = (): void => {
    if (!this.#lag || this.#socket.bufferedAmount > 0) return;
    this.#lag = undefined;
    this.#isHeard = true;
    if (this.#socket.readyState === this.#socket.OPEN) this.onDrained();
  };
}
