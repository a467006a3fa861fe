import type { Duplex } from "node:stream";

/** How many connections without a place may wait for a refusal, and how long. */
const MAX_OVER = 16;
const OVER_MS = 2_000;
const WARN_EVERY_MS = 60_000;

export type ConnectionLimit = {
  /** For every new connection, before anything is read from it. */
  accept(socket: Duplex): void;
  /** Its sender is known: it is not closed to make room for others. */
  trust(socket: Duplex): void;
  /** There was no place for it: it may be told so, and is closed soon. */
  isOver(socket: Duplex): boolean;
};

export type LimitOptions = {
  readonly max: number;
  /** Called at most once a minute while connections are closed or refused. */
  readonly onFull?: () => void;
};

/**
 * Keeps connections from using up the process's file descriptors. When all places are taken, the
 * oldest connection whose sender is unknown is closed; if every sender is known, the new one is
 * refused.
 */
export function limitConnections({ max, onFull = () => {} }: LimitOptions): ConnectionLimit {
  const unknown = new Set<Duplex>();
  const trusted = new Set<Duplex>();
  const over = new Map<Duplex, NodeJS.Timeout>();
  let warnedAt = -Infinity;

  function warn(): void {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    onFull();
  }
  function forget(socket: Duplex): void {
    unknown.delete(socket);
    trusted.delete(socket);
    clearTimeout(over.get(socket));
    over.delete(socket);
  }
  function close(socket: Duplex | undefined): void {
    if (!socket) return;
    forget(socket);
    socket.destroy();
  }
  function refuse(socket: Duplex): void {
    if (over.size >= MAX_OVER) close(over.keys().next().value);
    const timer = setTimeout(() => close(socket), OVER_MS);
    timer.unref();
    over.set(socket, timer);
  }

  return {
    accept(socket) {
      socket.once("close", () => forget(socket));
      if (unknown.size + trusted.size >= max) {
        warn();
        if (unknown.size === 0) return refuse(socket);
        close(unknown.values().next().value);
      }
      unknown.add(socket);
    },
    trust(socket) {
      if (trusted.has(socket) || (!unknown.has(socket) && !over.has(socket))) return;
      forget(socket);
      trusted.add(socket);
    },
    isOver: (socket) => over.has(socket),
  };
}
