import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../app/ports/world.ts";
import { type Peer, PeerError } from "../../base/peer.ts";
import type { WorkerWelcome } from "../../contract/workers/messages.ts";
import { joinServer, type Joined, type JoinServer } from "./join-server.ts";
import { keepBeating } from "./keep-beating.ts";
import { lookElsewhere } from "./look-elsewhere.ts";
import { AddressRefused, openServer, TokenRefused, WorkerRefused } from "./open-server.ts";
import { createWorkerLease, type WorkerLease } from "./worker-lease.ts";

const RETRY_FROM_MS = 250;
const RETRY_TO_MS = 5_000;
const RETRIES_PER_LEASE = 6;
/** Answers that the token is not known, while no server that knows it is reached. */
const MOST_UNKNOWN_TOKENS = 5;
/** A look at other servers is over before the next beat. */
const LOOKS_PER_LEASE = 4;
/** A server that works answers within this time, also over a slow connection. */
const LEAST_ANSWER_MS = 500;
const GOING_AWAY = 1_001;

export type ServerLinkOptions = JoinServer & {
  /** Tried in turn: one that does not answer, or ends the connection, is followed by the next. */
  readonly servers: readonly URL[];
  readonly token: string;
  /** Connected and admitted. The worker gets agents after this has resolved. */
  readonly onAdmitted: (welcome: WorkerWelcome) => Promise<void>;
  /** The server has handed over what an earlier process of this worker left. */
  readonly onReady: () => void;
  readonly onDisconnected: () => void;
  /** The lease has ended: servers take the agents of this worker for lost. */
  readonly onLeaseEnded: () => void;
  /** It is not tried again, such as after the token was revoked. */
  readonly onRefused: (why: WorkerRefused) => void;
};

export type ServerLink = {
  /** Connection problems are tried again. */
  start(): void;
  /** Rejects while there is no connection. */
  call(name: string, args: unknown): Promise<unknown>;
  tell(name: string, args: unknown): void;
  close(): void;
};

/** Keeps one connection to one of the servers, and the lease with it. */
export function createServerLink(options: ServerLinkOptions): ServerLink {
  const { log, servers, token } = options;
  const closing = new AbortController();
  const isClosed = (): boolean => closing.signal.aborted;
  let peer: Peer | undefined;
  let lease: WorkerLease | undefined;
  /** Another server has admitted this worker while its own one had no database. */
  let next: Joined | undefined;
  let looking: Promise<void> | undefined;

  async function connect(server: URL): Promise<Joined> {
    // Two connections at once would fence each other.
    await looking;
    if (next) return next;
    const withinMs = answerWithin(servers.length, lease);
    const socket = await openServer(server, token, withinMs);
    return joinServer(options, server, socket, lease, withinMs);
  }

  /** Resolves when the connection has ended. */
  async function serve(joined: Joined): Promise<void> {
    const { server, socket, mine, ended, welcome, askedAt } = joined;
    next = undefined;
    lease ??= createWorkerLease(options.onLeaseEnded);
    lease.use(welcome.leaseMs);
    lease.extend(askedAt);
    // Before the server hands over what it has: with many agents that takes longer than a lease.
    const beats = keepBeating({
      peer: mine,
      lease,
      log,
      cut: () => socket.terminate(),
      onUnknown: (at) => lookSoon(joined, at),
    });
    peer = mine;
    try {
      await options.onAdmitted(welcome);
      await mine.call("ready", {});
      options.onReady();
      log.info("Connected.", { server: server.host, worker: welcome.name });
      await ended;
    } finally {
      beats.stop();
      if (peer === mine) peer = undefined;
      leave(joined);
      options.onDisconnected();
    }
  }

  function lookSoon(joined: Joined, at: number): void {
    if (!lease) return;
    looking ??= look(options, lease, joined, at)
      .then((found) => (next = found))
      .catch((error: unknown) => warnNotTaken(error, log))
      .then(() => (looking = undefined));
  }

  async function run(): Promise<void> {
    const turns = createTurns(servers, closing.signal);
    while (!isClosed()) {
      const server = turns.next();
      const beganAt = performance.now();
      try {
        const joined = await connect(server);
        turns.admitted(joined.server);
        await serve(joined);
      } catch (error) {
        if (turns.isRefused(error, server)) return options.onRefused(error);
        if (!isClosed()) turns.warn(error, server, log);
      }
      await turns.pause(performance.now() - beganAt, lease, next !== undefined);
    }
  }

  return {
    start: () => void run(),
    call: (name, args) =>
      peer?.call(name, args) ?? Promise.reject(new PeerError("Not connected.", "DISCONNECTED")),
    tell: (name, args) => peer?.tell(name, args),
    close() {
      closing.abort();
      lease?.close();
      peer?.close(GOING_AWAY, "the worker stops");
      if (next) leave(next);
    },
  };
}

function leave({ mine, socket }: Joined): void {
  mine.ended();
  socket.terminate();
}

/**
 * The server has no database, and can't know whether others have one. If none that is known here has
 * one, none can have ended the lease. The connection is kept until another server has admitted us.
 */
async function look(
  options: ServerLinkOptions,
  lease: WorkerLease,
  current: Joined,
  at: number,
): Promise<Joined | undefined> {
  const { servers, token, log } = options;
  const { server, mine } = current;
  const withinMs = Math.round(lease.lengthMs() / LOOKS_PER_LEASE);
  const found = await lookElsewhere(servers, server, (other) => openServer(other, token, withinMs));
  if (found.kind === "none") lease.extend(at);
  if (found.kind !== "found") return undefined;
  // Its own database may be back, too. Then nothing has to move.
  const again = await mine.call("beat", {}, withinMs).catch(() => undefined);
  if (again === "held") {
    lease.extend(at);
    found.socket.terminate();
    return undefined;
  }
  const joined = await joinServer(options, found.server, found.socket, lease, withinMs);
  log.warn("The server has no connection to its database; using another one.", {
    server: server.host,
  });
  leave(current);
  return joined;
}

/** The servers in turn, with pauses. */
function createTurns(servers: readonly URL[], signal: AbortSignal) {
  let attempt = -1;
  let waitMs = RETRY_FROM_MS;
  let warnings = 0;
  const refusedBy = new Set<URL>();
  const admittedBy = new Set<URL>();
  let unknownTokens = 0;
  return {
    next(): URL {
      const server = servers[++attempt % servers.length];
      if (!server) throw new Error("A worker needs the address of a server.");
      return server;
    },
    admitted(server: URL): void {
      admittedBy.add(server);
      refusedBy.clear();
    },
    /** It is not tried again. */
    isRefused(error: unknown, server: URL): error is WorkerRefused {
      if (!(error instanceof WorkerRefused)) {
        refusedBy.delete(server);
        return false;
      }
      refusedBy.add(server);
      if (!(error instanceof AddressRefused) || refusedBy.size === servers.length) return true;
      if (!(error instanceof TokenRefused)) return false;
      // A server that has admitted this process knew its token. One that never did may be another
      // installation, but without any that did, the token is wrong.
      if (admittedBy.size > 0) return admittedBy.has(server);
      return ++unknownTokens >= MOST_UNKNOWN_TOKENS;
    },
    warn(error: unknown, server: URL, log: Log): void {
      if (warnings++ < servers.length) warnOf(error, server, log);
    },
    async pause(lastedMs: number, lease: WorkerLease | undefined, hasNext: boolean): Promise<void> {
      if (lastedMs > RETRY_TO_MS) {
        waitMs = RETRY_FROM_MS;
        warnings = 0;
      }
      if (hasNext) return;
      const isLastInTurn = (attempt + 1) % servers.length === 0;
      // The next server may be there, so only a whole turn in vain is followed by a longer pause.
      const pause = isLastInTurn ? waitMs : RETRY_FROM_MS;
      await delay(pause, undefined, { signal }).catch(() => undefined);
      // A server that is back soon must be found before the lease ends.
      const longestMs = lease === undefined ? RETRY_TO_MS : lease.lengthMs() / RETRIES_PER_LEASE;
      if (isLastInTurn) waitMs = Math.min(RETRY_TO_MS, longestMs, waitMs * 2);
    },
  };
}

/**
 * How long a server may take to answer. While the worker has a lease and knows other servers, each of
 * them gets a share of what remains.
 */
function answerWithin(servers: number, lease: WorkerLease | undefined): number | undefined {
  if (servers === 1 || !lease?.isHeld()) return undefined;
  return Math.max(LEAST_ANSWER_MS, Math.round(lease.remainingMs() / (servers + 1)));
}

function warnNotTaken(error: unknown, log: Log): void {
  log.warn("Another server did not take this worker; trying again.", { error: String(error) });
}

function warnOf(error: unknown, server: URL, log: Log): void {
  const isRefused = error instanceof WorkerRefused;
  const what = isRefused ? "The server refuses this worker" : "The server cannot be reached";
  log.warn(`${what}; trying again.`, {
    server: server.host,
    error: error instanceof Error ? error.message : String(error),
  });
}
