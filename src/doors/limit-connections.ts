import type { Duplex } from "node:stream";
import { KnownConnections, type Owner } from "./known-connections.ts";

/** How many connections over the limit may wait for a refusal, and how long. */
const MAX_OVER = 16;
const OVER_MS = 2_000;
const WARN_EVERY_MS = 60_000;

export type ConnectionLimit = {
  /** Call this for every new connection, before reading from it. */
  accept(socket: Duplex): void;
  /**
   * The sender is identified, so the connection is not closed to make room for unidentified ones.
   * Without an owner it counts as the only connection of its sender.
   */
  trust(socket: Duplex, owner?: Owner): void;
  /** A request body begins: until it is complete, the sender counts as unidentified. */
  receiving(socket: Duplex): void;
  received(socket: Duplex): void;
  setIdle(socket: Duplex, isIdle: boolean): void;
  /** The connection is over the limit: answer it with a refusal; it is closed soon. */
  isOver(socket: Duplex): boolean;
  countKnown(): number;
};

export type LimitOptions = {
  readonly max: number;
  /** Called at most once a minute while connections are closed or refused. */
  readonly onFull?: () => void;
};

/**
 * Keeps connections from exhausting the file descriptors of the process. At the limit, the oldest
 * connection of an unidentified sender is closed, else one of the sender with the most connections;
 * if each sender has only one, the new connection is refused.
 */
export function limitConnections({ max, onFull = () => {} }: LimitOptions): ConnectionLimit {
  const unknown = new Set<Duplex>();
  const known = new KnownConnections(max);
  /** Request bodies in progress per connection, and its owner if identified. */
  const bodies = new Map<Duplex, { count: number; isKnown: boolean; owner: Owner | undefined }>();
  const over = new Map<Duplex, NodeJS.Timeout>();
  let warnedAt = -Infinity;

  function warn(): void {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    onFull();
  }
  function forget(socket: Duplex): void {
    unknown.delete(socket);
    known.delete(socket);
    bodies.delete(socket);
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

  function keep(socket: Duplex, owner: Owner | undefined): void {
    forget(socket);
    known.add(socket, owner);
    const excess = known.excessOf(socket);
    if (!excess) return;
    warn();
    close(excess);
  }

  return {
    accept(socket) {
      socket.once("close", () => forget(socket));
      if (unknown.size + known.size >= max) {
        warn();
        const victim = unknown.values().next().value ?? known.fairVictim();
        if (!victim) return refuse(socket);
        close(victim);
      }
      unknown.add(socket);
    },
    trust(socket, owner) {
      known.setIdle(socket, false);
      const body = bodies.get(socket);
      if (body) return void Object.assign(body, { isKnown: true, owner });
      if (known.has(socket) && known.ownerOf(socket)?.id === owner?.id) return;
      if (known.has(socket) || unknown.has(socket) || over.has(socket)) keep(socket, owner);
    },
    receiving(socket) {
      const body = bodies.get(socket);
      if (body) return void body.count++;
      const isKnown = known.has(socket);
      if (!isKnown && !unknown.has(socket)) return;
      bodies.set(socket, { count: 1, isKnown, owner: known.ownerOf(socket) });
      known.delete(socket);
      unknown.add(socket);
    },
    received(socket) {
      const body = bodies.get(socket);
      if (!body || --body.count > 0) return;
      bodies.delete(socket);
      if (body.isKnown) keep(socket, body.owner);
    },
    setIdle: (socket, isIdle) => known.setIdle(socket, isIdle),
    isOver: (socket) => over.has(socket),
    countKnown: () => known.size,
  };
}
