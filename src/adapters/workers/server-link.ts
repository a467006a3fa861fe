import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";
import { z } from "zod";
import type { Log } from "../../app/ports/world.ts";
import { createPeer, type Handlers, type Peer, PeerError } from "../../base/peer.ts";
import {
  leaseStates,
  MAX_WORKER_MESSAGE_BYTES,
  WORKER_PATH,
  type WorkerHello,
  type WorkerWelcome,
} from "../../contract/workers/messages.ts";
import type { Texts } from "../../domain/locale.ts";
import { SpokenError } from "../../domain/spoken-error.ts";

const RETRY_FROM_MS = 250;
const RETRY_TO_MS = 5_000;
const OPEN_WITHIN_MS = 10_000;
const BEATS_PER_LEASE = 3;
const RETRIES_PER_LEASE = 6;
const UNAUTHORIZED = 401;
const GOING_AWAY = 1_001;

/** The server does not want this worker; trying again would not help. */
export class WorkerRefused extends SpokenError {}

/** This address does not take the worker. Another one may. */
class AddressRefused extends WorkerRefused {}

const texts = z.object({ en: z.string(), ja: z.string() });
const helloAnswer = z.union([
  z.object({ refused: z.object({ code: z.string(), texts }) }),
  z.object({ later: z.literal(true) }),
  z.object({
    name: z.string(),
    version: z.string(),
    leaseMs: z.number().positive(),
    agents: z.object({
      hardKillAfterMs: z.number(),
      maxOutputBytes: z.number(),
      variables: z.array(z.string()),
      acpCommand: z.array(z.string()),
    }),
  }),
]);
const leaseAnswer = z.enum(leaseStates);

export type ServerLinkOptions = {
  /** Tried in turn: one that does not answer, or ends the connection, is followed by the next. */
  readonly servers: readonly URL[];
  readonly token: string;
  readonly hello: () => WorkerHello | Promise<WorkerHello>;
  readonly handlers: Handlers;
  readonly log: Log;
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
  const { log } = options;
  const closing = new AbortController();
  const isClosed = (): boolean => closing.signal.aborted;
  let peer: Peer | undefined;
  let lease: Lease | undefined;

  /** Resolves when the connection has ended. */
  async function connectOnce(server: URL): Promise<void> {
    const withinMs = answerWithin(options.servers.length, lease);
    const { socket, mine, ended } = await openPeer(server, options, withinMs);
    let beats: NodeJS.Timeout | undefined;
    try {
      const welcome = await greet(mine, options, withinMs, () => lease?.end());
      lease ??= createLease(welcome.leaseMs, options.onLeaseEnded);
      lease.extend();
      // Before the server hands over what it has: with many agents that takes longer than a lease.
      beats = keepBeating(mine, lease, () => socket.terminate(), log);
      peer = mine;
      await options.onAdmitted(welcome);
      await mine.call("ready", {});
      options.onReady();
      log.info("Connected.", { server: server.host, worker: welcome.name });
      await ended;
    } finally {
      clearInterval(beats);
      if (peer === mine) peer = undefined;
      mine.ended();
      socket.terminate();
      options.onDisconnected();
    }
  }

  async function run(): Promise<void> {
    let waitMs = RETRY_FROM_MS;
    let warnings = 0;
    let refusals = 0;
    for (let attempt = 0; !isClosed(); attempt++) {
      const server = inTurn(options.servers, attempt);
      const beganAt = performance.now();
      try {
        await connectOnce(server);
        refusals = 0;
      } catch (error) {
        refusals = error instanceof WorkerRefused ? refusals + 1 : 0;
        const isByAll = refusals >= options.servers.length;
        if (error instanceof WorkerRefused && (isByAll || !(error instanceof AddressRefused))) {
          return options.onRefused(error);
        }
        if (warnings++ < options.servers.length && !isClosed()) warnOf(error, server, log);
      }
      if (performance.now() - beganAt > RETRY_TO_MS) {
        waitMs = RETRY_FROM_MS;
        warnings = 0;
      }
      const isLastInTurn = (attempt + 1) % options.servers.length === 0;
      // The next server may be there, so only a whole turn in vain is followed by a pause.
      const pause = isLastInTurn ? waitMs : RETRY_FROM_MS;
      await delay(pause, undefined, { signal: closing.signal }).catch(() => undefined);
      // A server that is back soon must be found before the lease ends.
      const longestMs = lease === undefined ? RETRY_TO_MS : lease.leaseMs / RETRIES_PER_LEASE;
      if (isLastInTurn) waitMs = Math.min(RETRY_TO_MS, longestMs, waitMs * 2);
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
    },
  };
}

function inTurn(servers: readonly URL[], attempt: number): URL {
  const server = servers[attempt % servers.length];
  if (!server) throw new Error("A worker needs the address of a server.");
  return server;
}

/**
 * How long a server may take to answer. While the worker has a lease and knows other servers, none of
 * them may use it up.
 */
function answerWithin(servers: number, lease: Lease | undefined): number | undefined {
  if (servers === 1 || !lease?.isHeld()) return undefined;
  return Math.round(lease.leaseMs / (servers + 1));
}

function warnOf(error: unknown, server: URL, log: Log): void {
  const isRefused = error instanceof WorkerRefused;
  const what = isRefused ? "The server refuses this worker" : "The server cannot be reached";
  log.warn(`${what}; trying again.`, {
    server: server.host,
    error: error instanceof Error ? error.message : String(error),
  });
}

async function openPeer(
  server: URL,
  { token, log, handlers }: ServerLinkOptions,
  withinMs: number | undefined,
) {
  const socket = await open(server, token, withinMs);
  const mine = createPeer(
    {
      send: (text) => socket.send(text),
      close: (code, reason) => socket.close(code, reason),
    },
    handlers,
  );
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", (error) => log.debug("The connection failed.", { error: error.message }));
  socket.on("message", (data, isBinary) => {
    if (!isBinary && Buffer.isBuffer(data)) mine.receive(data.toString());
  });
  socket.once("close", () => mine.ended());
  return { socket, mine, ended };
}

async function greet(
  mine: Peer,
  { hello }: ServerLinkOptions,
  withinMs: number | undefined,
  onLeaseEnded: () => void,
): Promise<WorkerWelcome> {
  for (;;) {
    const answer = helloAnswer.parse(await mine.call("hello", await hello(), withinMs));
    if ("refused" in answer) throw new WorkerRefused(answer.refused.texts);
    if (!("later" in answer)) return answer;
    // Servers are about to settle what an earlier process of this worker left.
    onLeaseEnded();
    await delay(RETRY_FROM_MS);
  }
}

function keepBeating(mine: Peer, lease: Lease, cut: () => void, log: Log): NodeJS.Timeout {
  const everyMs = Math.round(lease.leaseMs / BEATS_PER_LEASE);
  async function beat(): Promise<void> {
    try {
      const state = leaseAnswer.parse(await mine.call("beat", {}, everyMs));
      if (state !== "ended") return lease.extend();
      lease.end();
      mine.close(GOING_AWAY, "the lease has ended");
    } catch (error) {
      // A server that does not answer may be gone without a word: another one may be there.
      if (mine.isOpen()) cut();
      log.warn("The server does not answer.", { error: String(error) });
    }
  }
  return setInterval(() => void beat(), everyMs);
}

function open(server: URL, token: string, withinMs = OPEN_WITHIN_MS): Promise<WebSocket> {
  const url = new URL(WORKER_PATH, server);
  url.protocol = server.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(url, {
    headers: { authorization: `Bearer ${token}` },
    maxPayload: MAX_WORKER_MESSAGE_BYTES,
    perMessageDeflate: false,
    handshakeTimeout: withinMs,
  });
  return new Promise((resolve, reject) => {
    socket.once("open", () => {
      socket.off("error", reject);
      resolve(socket);
    });
    socket.once("error", reject);
    socket.once("unexpected-response", (_request, response) => {
      response.resume();
      socket.terminate();
      reject(explainAnswer(response.statusCode ?? 0, server));
    });
  });
}

function explainAnswer(status: number, server: URL): Error {
  if (status === UNAUTHORIZED) return new AddressRefused(UNKNOWN_TOKEN);
  if (status !== 403 && status !== 404) return new Error(`The server answered ${status}.`);
  return new AddressRefused({
    en: `${server.origin} does not take workers (${status}). Name the address of a Kuromajutsu server that uses PostgreSQL, with a name that is in dashboard.hosts of its configuration.`,
    ja: `${server.origin} はワーカーを受け付けません（${status}）。PostgreSQL を使う Kuromajutsu サーバーのアドレスを、その設定の dashboard.hosts にある名前で指定してください。`,
  });
}

const UNKNOWN_TOKEN: Texts = {
  en: "The server does not know the token of this worker; it may have been revoked. Make one with `kuromajutsu worker add NAME` where a server runs.",
  ja: "サーバーはこのワーカーのトークンを知りません。取り消された可能性があります。サーバーのあるマシンで `kuromajutsu worker add 名前` を実行して作ってください。",
};

type Lease = ReturnType<typeof createLease>;

/** Measured with the monotonic clock of this host, so that it ends without any server, too. */
function createLease(leaseMs: number, onEnded: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let isHeld = false;
  function end(): void {
    clearTimeout(timer);
    if (!isHeld) return;
    isHeld = false;
    onEnded();
  }
  return {
    leaseMs,
    isHeld: (): boolean => isHeld,
    extend(): void {
      isHeld = true;
      clearTimeout(timer);
      timer = setTimeout(end, leaseMs);
    },
    end,
    close: () => clearTimeout(timer),
  };
}
