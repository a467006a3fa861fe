import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type RawData, type WebSocket } from "ws";
import type { Core, Identity } from "../../../app/core.ts";
import { localeOf } from "../../../app/locale-of.ts";
import type { LiveHello } from "../../../contract/live.ts";
import { explainError } from "../explain-error.ts";
import type { AllowedNames } from "../guard.ts";
import { TOO_MANY_CONNECTIONS } from "../http-server.ts";
import type { Authenticator } from "../identify-request.ts";
import { answerMessage, type LiveRequests } from "./answer-message.ts";
import { createBroadcast, encode, type Broadcast } from "./broadcast.ts";
import { LiveClient } from "./client.ts";
import { chooseProtocol, identifyWatcher, mayStillWatch } from "./identify-watcher.ts";
import { readState } from "./read-state.ts";
import { shareSnapshots } from "./share-snapshots.ts";
import { refuseUpgrade, whyNotUpgraded } from "./upgrade.ts";

const MAX_MESSAGE_BYTES = 1024 * 1024;
/** Requests of one client that may be open at the same time. */
const MAX_REQUESTS = 32;
const NO_REQUESTS: LiveRequests = new Map();

export type LiveTiming = {
  readonly frameMs: number;
  /** A client on /ws that has sent no hello for this long gets single messages. */
  readonly helloMs: number;
  readonly pingMs: number;
  /** A client that reads nothing for this long is disconnected. */
  readonly stuckMs: number;
};
const TIMING: LiveTiming = { frameMs: 50, helloMs: 250, pingMs: 15_000, stuckMs: 60_000 };

export type LiveDoorOptions = AllowedNames & {
  readonly core: Core;
  readonly authenticator: Authenticator;
  readonly availableModels?: () => Promise<readonly string[]>;
  readonly health?: () => Promise<unknown>;
  readonly requests?: LiveRequests;
  readonly timing?: Partial<LiveTiming>;
  /** Further WebSockets are refused with 503. */
  readonly maxClients?: number;
  /** Called when a WebSocket is refused because of the limit. */
  readonly isOver?: (socket: Duplex) => boolean;
};

export type LiveDoor = {
  /** For the HTTP server's "upgrade" event. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  clientCount(): number;
  /** Called when people were added or removed or signed out: disconnects clients without access. */
  peopleChanged(): Promise<void>;
  close(): void;
};

/** The WebSocket on /ws, and on / for clients that expect single messages. */
export function createLiveDoor(options: LiveDoorOptions): LiveDoor {
  const { core, authenticator, requests = NO_REQUESTS } = options;
  const { maxClients = Infinity, isOver = () => false } = options;
  const timing = { ...TIMING, ...options.timing };
  const explain = explainError(core);
  const clients = new Map<LiveClient, Identity>();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: chooseProtocol,
  });
  const broadcast = openBroadcast(options, timing, explain);
  const beats = setInterval(() => {
    for (const client of clients.keys()) client.beat(timing.stuckMs);
    // Another server may have ended a sign-in, and its event may be lost.
    if (core.serverId !== null) void endWithoutAccess(core, clients);
  }, timing.pingMs);
  beats.unref();

  function welcome(socket: WebSocket, isSingleOnly: boolean, identity: Identity): void {
    const client = new LiveClient(socket);
    clients.set(client, identity);
    broadcast.add(client);
    const start = () => client.protocol === "undecided" && void broadcast.startSingle(client);
    const patience = setTimeout(start, timing.helloMs);
    if (isSingleOnly) start();
    const hello = (greeting: LiveHello) => broadcast.resume(client, greeting);
    const asked = { requests, identity, locale: localeOf(core, identity), explain, hello };
    socket.on(
      "message",
      limitRequests(client, (text) => answerMessage(asked, text)),
    );
    socket.on("error", (error) =>
      core.log.debug("A live client failed.", { error: error.message }),
    );
    socket.on("close", () => {
      clearTimeout(patience);
      clients.delete(client);
      broadcast.remove(client);
    });
  }

  /** Upgrades whose sender is being identified. */
  let admitting = 0;

  /** Never rejects: nothing awaits it. */
  async function admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // The client may disconnect while it is identified.
    socket.on("error", ignore);
    admitting++;
    try {
      const identity = await identifyWatcher(authenticator, request).finally(() => admitting--);
      socket.off("error", ignore);
      const isSingleOnly = !request.url?.startsWith("/ws");
      sockets.handleUpgrade(request, socket, head, (opened) =>
        welcome(opened, isSingleOnly, identity),
      );
    } catch (error) {
      const { message: detail, ...explained } = explain(error, core.settings.locale);
      refuseUpgrade(socket, { ...explained, detail });
    }
  }

  return {
    upgrade(request, socket, head) {
      const why = whyNotUpgraded(request, options);
      if (why) return refuseUpgrade(socket, why);
      if (isOver(socket) || clients.size + admitting >= maxClients) {
        return refuseUpgrade(socket, TOO_MANY_CONNECTIONS);
      }
      void admit(request, socket, head);
    },
    clientCount: () => clients.size,
    peopleChanged: () => endWithoutAccess(core, clients),
    close() {
      clearInterval(beats);
      broadcast.close();
      for (const client of clients.keys()) client.end();
      sockets.close();
    },
  };
}

async function endWithoutAccess(
  core: Core,
  clients: ReadonlyMap<LiveClient, Identity>,
): Promise<void> {
  for (const [client, identity] of clients) {
    // Disconnect clients that cannot be checked; they authenticate again.
    const may = await mayStillWatch(core, identity).catch(() => false);
    if (!may) client.end();
  }
}

function openBroadcast(
  { core, availableModels = async () => [], health = async () => ({}) }: LiveDoorOptions,
  { frameMs }: LiveTiming,
  explain: ReturnType<typeof explainError>,
): Broadcast {
  return createBroadcast({
    live: core.live,
    frameMs,
    snapshot: shareSnapshots(core.live, frameMs, () =>
      readState(core, { availableModels, health }),
    ),
    async startup(seq) {
      const data = { version: core.version, availableModels: await availableModels() };
      return { type: "server:startup", data, seq };
    },
    onError(client, error) {
      explain(error, core.settings.locale);
      // The client reconnects; without this it would show stale data.
      client.end();
    },
  });
}

/** Handles the messages of one client, and disconnects a client with too many open requests. */
function limitRequests(
  client: LiveClient,
  answer: (text: string | undefined) => ReturnType<typeof answerMessage>,
): (data: RawData, isBinary: boolean) => void {
  let running = 0;
  async function run(text: string | undefined): Promise<void> {
    running++;
    const message = await answer(text);
    if (message) client.send(encode(message));
    running--;
  }
  return (data, isBinary) => {
    if (running >= MAX_REQUESTS) return client.end();
    void run(!isBinary && Buffer.isBuffer(data) ? data.toString() : undefined);
  };
}

function ignore(): void {}
