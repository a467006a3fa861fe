import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import { fieldsOf, parseJson, textOf } from "../../../src/base/narrow.ts";
import type { Attempt, Delivery, Retry } from "./delivery.ts";

const MAX_SOCKETS = 10;
const PING_EVERY_MS = 10_000;
/** A ticket that is not used expires. */
const TICKET_MS = 30_000;

export type DisconnectReason =
  | "refresh_requested"
  | "warning"
  | "link_disabled"
  | "too_many_websockets";

export type AppSocket = {
  readonly number: number;
  /** How many payloads it has got. */
  readonly delivered: number;
  /** Slack announces the end and sends nothing more to this socket. */
  disconnect(reason: DisconnectReason): void;
  /** The connection breaks without notice. */
  cut(): void;
};

type OpenSocket = AppSocket & {
  readonly ws: WebSocket;
  isClosing: boolean;
  delivered: number;
};

type Waiting = { readonly ws: WebSocket; readonly settle: (attempt: Partial<Attempt>) => void };

export type SocketMode = ReturnType<typeof aSocketMode>;

/** Sends payloads over the WebSockets that the app has opened. */
export function aSocketMode(appId: string, ackWithinMs: number) {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Map<string, number>();
  const sockets = new Set<OpenSocket>();
  const waiting = new Map<string, Waiting>();
  const watchers = new Set<() => void>();
  let opened = 0;
  let turn = 0;

  const changed = () => {
    for (const watcher of watchers) watcher();
  };

  function accept(ws: WebSocket): void {
    opened += 1;
    const socket: OpenSocket = {
      number: opened,
      ws,
      delivered: 0,
      isClosing: false,
      disconnect(reason) {
        socket.isClosing = true;
        ws.send(JSON.stringify({ type: "disconnect", reason, debug_info: { host: "fake" } }));
        // The real client closes at once; Slack does it a little later.
        setTimeout(() => ws.terminate(), 1_000).unref();
        changed();
      },
      cut() {
        socket.isClosing = true;
        ws.terminate();
      },
    };
    const pinging = setInterval(() => ws.ping(), PING_EVERY_MS);
    ws.on("message", (data) => receive(Buffer.isBuffer(data) ? data.toString() : ""));
    ws.on("error", () => ws.terminate());
    ws.on("close", () => {
      clearInterval(pinging);
      sockets.delete(socket);
      for (const { ws: owner, settle } of waiting.values()) {
        if (owner === ws) settle({ reason: "socket_closed" });
      }
      changed();
    });
    sockets.add(socket);
    if (sockets.size > MAX_SOCKETS) return socket.disconnect("too_many_websockets");
    ws.send(
      JSON.stringify({
        type: "hello",
        num_connections: sockets.size,
        debug_info: { host: "fake", approximate_connection_time: 18_060 },
        connection_info: { app_id: appId },
      }),
    );
    changed();
  }

  function receive(text: string): void {
    const { envelope_id: id, payload } = fieldsOf(parseJson(text));
    waiting.get(textOf(id) ?? "")?.settle({ isAcked: true, payload: fieldsOf(payload) });
  }

  const usable = () => [...sockets].filter(({ isClosing }) => !isClosing);

  return {
    newTicket(): string {
      const ticket = randomUUID();
      tickets.set(ticket, Date.now());
      return ticket;
    },
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      const { searchParams } = new URL(request.url ?? "/", "http://fake");
      const ticket = searchParams.get("ticket") ?? "";
      const at = tickets.get(ticket);
      tickets.delete(ticket);
      if (at === undefined || Date.now() - at > TICKET_MS) {
        socket.end("HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n");
        return;
      }
      server.handleUpgrade(request, socket, head, accept);
    },
    /** Each payload goes to one socket; they take turns. */
    transport({ kind, payload }: Delivery, retry?: Retry): Promise<Attempt> {
      const open = usable();
      const socket = open[(turn += 1) % Math.max(1, open.length)];
      const from = performance.now();
      const failed = { isAcked: false, ms: 0, payload: {}, reason: "no_socket" };
      if (!socket) return Promise.resolve(failed);
      const { promise, resolve } = Promise.withResolvers<Attempt>();
      const id = randomUUID();
      const settle = (attempt: Partial<Attempt>) => {
        waiting.delete(id);
        clearTimeout(timer);
        resolve({ isAcked: false, payload: {}, ...attempt, ms: performance.now() - from });
      };
      const timer = setTimeout(() => settle({ reason: "timeout" }), ackWithinMs);
      waiting.set(id, { ws: socket.ws, settle });
      socket.delivered += 1;
      const envelope = {
        envelope_id: id,
        type: kind,
        accepts_response_payload: kind !== "events_api",
        payload,
        ...(kind === "events_api" && {
          retry_attempt: retry?.number ?? 0,
          retry_reason: retry?.reason ?? "",
        }),
      };
      socket.ws.send(JSON.stringify(envelope));
      return promise;
    },
    /** The open sockets, oldest first. */
    sockets: (): readonly AppSocket[] => usable(),
    /** How many sockets the app has opened so far. */
    opened: () => opened,
    /** Waits until the app has this many sockets. */
    async connected(count: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => {
        if (usable().length >= count) resolve();
      };
      watchers.add(look);
      look();
      await promise;
      watchers.delete(look);
    },
    /** Waits until an app that has stopped has closed its sockets, but not for long. */
    async closed(withinMs: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => {
        if (sockets.size === 0) resolve();
      };
      watchers.add(look);
      look();
      const timer = setTimeout(resolve, withinMs);
      await promise;
      clearTimeout(timer);
      watchers.delete(look);
    },
    cutAll() {
      for (const socket of sockets) socket.cut();
    },
  };
}
