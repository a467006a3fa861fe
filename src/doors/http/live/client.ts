import type { WebSocket } from "ws";

/** Past this a client is not sent anything more until it has taken all of it. */
export const MAX_BUFFERED_BYTES = 1024 * 1024;

/** `frames` have said hello; `single` are the seed's clients: one message per event. */
export type Protocol = "undecided" | "frames" | "single";

/**
 * One dashboard. It is never waited for: what it does not take in time is forgotten, and it is
 * told how things stand when it can listen again.
 */
export class LiveClient {
  protocol: Protocol = "undecided";
  /** The last seq it was sent; null while it is being told how things stand. */
  at: number | null = null;
  /** Called when all that was buffered for a lagging client is gone. */
  onDrained: () => void = () => {};
  /** Has it given a sign of life since the last ping? */
  #isHeard = true;
  #lag: { since: number; buffered: number } | undefined;
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    const heard = () => (this.#isHeard = true);
    socket.on("pong", heard);
    socket.on("message", heard);
  }

  /** False when it was not sent: the client lags or is gone. The bytes may be shared; nobody changes them. */
  send(message: Buffer): boolean {
    if (this.#lag || this.#socket.readyState !== this.#socket.OPEN) return false;
    // Looked at before, not after: what was sent just now counts as buffered for a moment anyway.
    const buffered = this.#socket.bufferedAmount;
    if (buffered > MAX_BUFFERED_BYTES) {
      this.#lag = { since: performance.now(), buffered };
      return false;
    }
    this.#socket.send(message, { binary: false }, this.#flushed);
    return true;
  }

  /** Ends it when it has been silent since the last beat, or has taken nothing for `stuckMs`. */
  beat(stuckMs: number): void {
    if (this.#lag) return this.#watchLag(this.#lag, stuckMs);
    if (!this.#isHeard) return this.end();
    this.#isHeard = false;
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
  }

  /** At once: a client that does not read would not read a goodbye either. */
  end(): void {
    this.#socket.terminate();
  }

  // A ping would queue behind what it does not read, so a lagging client is judged by what it takes.
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
