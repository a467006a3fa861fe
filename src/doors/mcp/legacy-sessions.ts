import { randomUUID } from "node:crypto";
import {
  isInitializeRequest,
  WebStandardStreamableHTTPServerTransport,
  type Server,
} from "@modelcontextprotocol/server";
import type { McpSessionRow, SharedState } from "../../app/ports/shared-state.ts";
import type { Delivery } from "./deliveries.ts";
import { firstEventOf, readEventId, restartedStream } from "./event-ids.ts";
import { MAX_MESSAGE_BYTES } from "./limits.ts";
import { protocolOf, replayHandshake, SESSION_HEADER } from "./replay-handshake.ts";
import { bodyOf, restOf, type Rest } from "./resumable-stream.ts";
import { createSessionRows } from "./session-rows.ts";

const IDLE_MS = 30 * 60_000;
/** Limits abandoned sessions. A client whose session was dropped can continue: it is revived. */
const MAX_SESSIONS = 200;
/** Answers that a session keeps for a client whose connection was cut. */
const MAX_CUT = 10;

type Session = {
  /** The identity that opened it; no other may use it. */
  readonly owner: string;
  readonly protocolVersion: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: Server;
  /** Requests that are being answered. */
  calls: number;
  /** Open GET streams, on which the client waits for messages. */
  streams: number;
  lastUsed: number;
  /** Streams of calls whose connection was cut, by event id, until the client asks for the rest. */
  readonly cut: Map<string, Rest>;
};

export type CreateLegacySessions = {
  readonly makeServer: () => Server;
  readonly onerror: (error: Error) => void;
  /** Sessions of all servers; absent: this server has no others beside it. */
  readonly shared?: SharedState | undefined;
};

export type LegacySessions = {
  /** `delivery` learns whether the answer was sent. */
  readonly fetch: (
    request: Request,
    parsedBody: unknown,
    owner: string,
    delivery?: Pick<Delivery, "settle">,
  ) => Promise<Response>;
  readonly toolsChanged: () => void;
  readonly count: () => number;
  readonly close: () => Promise<void>;
};

/**
 * Clients of the older protocol revisions: one server and transport per session. A load balancer may
 * send a request of a session to any server: one that does not have it in memory revives it.
 */
export function createLegacySessions(options: CreateLegacySessions): LegacySessions {
  const { makeServer, onerror, shared } = options;
  const sessions = new Map<string, Session>();
  const rows = createSessionRows(shared, onerror);
  /** A client may reconnect with several requests at once; they share one revival. */
  const reviving = new Map<string, Promise<Session>>();
  const reaper = setInterval(() => reap(sessions), 60_000);
  reaper.unref();

  async function open(id: string, owner: string, protocolVersion: string): Promise<Session> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      maxRequestBodySize: MAX_MESSAGE_BYTES,
      // Only now, so that a refused handshake leaves no session behind.
      onsessioninitialized: () => {
        dropOne(sessions);
        sessions.set(id, session);
      },
      onsessionclosed: () => {
        sessions.delete(id);
        return rows.end(id);
      },
    });
    transport.onerror = onerror;
    const server = makeServer();
    const session = newSession({ owner, protocolVersion, transport, server });
    await server.connect(transport);
    return session;
  }

  /**
   * A session of an earlier daemon is recreated by replaying its handshake, because some clients
   * never recover from a 404.
   */
  function revive(revived: Revived, request: Request): Promise<Session> {
    const { id } = revived;
    const revival = reviving.get(id) ?? playHandshake(revived, request);
    reviving.set(id, revival);
    return revival.finally(() => reviving.delete(id));
  }

  async function playHandshake(revived: Revived, request: Request): Promise<Session> {
    const { id, owner, client } = revived;
    const protocolVersion = protocolOf(request);
    const session = await open(id, owner, protocolVersion);
    await replayHandshake(session.transport, request, { id, protocolVersion, client });
    return session;
  }

  async function begin(request: Request, parsedBody: unknown, owner: string): Promise<Response> {
    if (!isInitializeRequest(parsedBody)) return refuse(400, "Send initialize first.");
    const { protocolVersion, clientInfo } = parsedBody.params;
    const id = randomUUID();
    const session = await open(id, owner, protocolVersion);
    const response = await serve(session, request, parsedBody);
    // Before the client can send its next request, which another server may get.
    if (sessions.has(id)) await rows.put(id, { owner, client: clientInfo });
    return response;
  }

  return {
    fetch: async (request, parsedBody, owner, delivery) => {
      const id = request.headers.get(SESSION_HEADER);
      if (id === null) return begin(request, parsedBody, owner);
      const row = await rows.find(id);
      if (row?.isEnded) await forget(sessions, id);
      const known = sessions.get(id);
      if ((known ?? row ?? { owner }).owner !== owner) return notYours();
      if (!known && request.method === "DELETE") {
        if (row) await rows.end(id);
        return new Response(null, { status: 204 });
      }
      if (rows.isEnded(id)) return refuse(404, "This session was ended. Send initialize.");
      if (!known && !/^[\x21-\x7e]{1,200}$/.test(id)) return refuse(400, "Malformed session id.");
      const resumed = request.method === "GET" ? resume(request, known) : undefined;
      if (resumed) return resumed;
      const session = known ?? (await revive({ id, owner, client: row?.client }, request));
      // Another identity may have begun to revive the same id.
      if (session.owner !== owner) return notYours();
      return serve(session, request, parsedBody, delivery);
    },
    toolsChanged(): void {
      for (const { server } of sessions.values()) server.sendToolListChanged().catch(onerror);
    },
    count: () => sessions.size,
    async close(): Promise<void> {
      clearInterval(reaper);
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
      sessions.clear();
    },
  };
}

type Revived = {
  readonly id: string;
  readonly owner: string;
  readonly client: McpSessionRow["client"] | undefined;
};

async function forget(sessions: Map<string, Session>, id: string): Promise<void> {
  const session = sessions.get(id);
  sessions.delete(id);
  await session?.transport.close();
}

function newSession(
  opened: Pick<Session, "owner" | "protocolVersion" | "transport" | "server">,
): Session {
  return { ...opened, calls: 0, streams: 0, lastUsed: Date.now(), cut: new Map() };
}

async function serve(
  session: Session,
  request: Request,
  parsedBody: unknown,
  delivery?: Pick<Delivery, "settle">,
): Promise<Response> {
  const kind = request.method === "GET" ? "streams" : "calls";
  const done = use(session, kind);
  try {
    const response = await session.transport.handleRequest(request, { parsedBody });
    if (!response.body) {
      done();
      return response;
    }
    const rest = restOf(response.body, delivery?.settle);
    const isStream = response.headers.get("content-type") === "text/event-stream";
    const first = isStream ? firstEventOf(parsedBody, session.protocolVersion) : undefined;
    if (!first)
      return new Response(bodyOf(rest, { done, cut: (reason) => rest.cancel(reason) }), response);
    const cut = () => keepForLater(session, first.eventId, rest);
    return new Response(bodyOf(rest, { first: first.text, done, cut }), response);
  } catch (error) {
    done();
    throw error;
  }
}

/** Returns the function that ends the use. */
function use(session: Session, kind: "calls" | "streams"): () => void {
  session[kind]++;
  session.lastUsed = Date.now();
  return () => {
    session[kind]--;
    session.lastUsed = Date.now();
  };
}

function keepForLater({ cut }: Session, eventId: string, rest: Rest): void {
  cut.set(eventId, rest);
  const [oldest] = cut;
  if (cut.size <= MAX_CUT || !oldest) return;
  cut.delete(oldest[0]);
  void oldest[1].cancel();
}

/**
 * The answer to a client that asks for the rest of the stream of a call. Undefined: it asks for the
 * messages of the session.
 */
function resume(request: Request, session: Session | undefined): Response | undefined {
  const eventId = request.headers.get("last-event-id");
  const call = eventId === null ? undefined : readEventId(eventId);
  if (eventId === null || !call) return undefined;
  if (!call.isOfThisDaemon) return restartedStream(call.requestId);
  const rest = session?.cut.get(eventId);
  // Some clients ask even after they have received the answer; with this status they stop.
  if (!session || !rest) return refuse(405, "Everything on this stream was sent.");
  session.cut.delete(eventId);
  const cut = () => keepForLater(session, eventId, rest);
  const body = bodyOf(rest, { done: use(session, "calls"), cut });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/**
 * Makes room for one more session. The owner with the most sessions loses one, so that one client
 * cannot evict the others: first an idle one, then one that only listens, then the least recently used.
 */
function dropOne(sessions: Map<string, Session>): void {
  if (sessions.size < MAX_SESSIONS) return;
  const byOwner = Map.groupBy(sessions, ([, { owner }]) => owner);
  const [most = []] = [...byOwner.values()].toSorted((a, b) => b.length - a.length);
  const [dropped] = most.toSorted(([, a], [, b]) => useOf(a) - useOf(b) || a.lastUsed - b.lastUsed);
  if (!dropped) return;
  sessions.delete(dropped[0]);
  void dropped[1].transport.close();
}

function useOf({ calls, streams }: Session): number {
  if (calls > 0) return 2;
  return streams > 0 ? 1 : 0;
}

function reap(sessions: Map<string, Session>): void {
  for (const [id, session] of sessions) {
    if (useOf(session) > 0 || Date.now() - session.lastUsed < IDLE_MS) continue;
    sessions.delete(id);
    void session.transport.close();
  }
}

/** The same answer as for a session that does not exist. */
function notYours(): Response {
  return refuse(404, "There is no such session for this caller. Send initialize.");
}

function refuse(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32000, message } }, { status });
}
