import { readRpcLine } from "./json-rpc-line.ts";

type Id = string | number;
type OpenRequest = { readonly method: string; readonly modern: boolean };

/**
 * What the pipe remembers of one client's conversation, so that it can go on with another daemon:
 * the handshake, open subscriptions, and which requests are still unanswered. Pure: lines in,
 * lines out.
 */
export type Conversation = {
  /** The client said this; pass it on. */
  fromClient(line: string): void;
  /** The client has its answer to this `initialize`; the daemon has yet to hear of it. */
  greeted(line: string): void;
  /** The daemon said this; false: it is the second answer to a replayed line, swallow it. */
  fromDaemon(line: string): boolean;
  /** The daemon is gone: what the client is told about its open requests. */
  interrupted(): string[];
  /** A new daemon is there: what it has to hear first. */
  replay(): string[];
  /**
   * A request that every living daemon answers, for a client whose replay has none; `waiting` is
   * what the client said and the daemon has not been sent yet. Undefined: the handshake is the
   * probe, or nothing is known of the client.
   */
  probe(waiting: readonly string[]): string | undefined;
  openRequests(): number;
  /** No daemon answers: an unanswered `initialize` is forgotten and returned. */
  abandonHello(): string[];
  /** The client has not said hello yet. */
  isNew(): boolean;
};

const REPLAYED = "subscriptions/listen";

/** Not an id that a client would draw. */
const PROBE_ID = "kuromajutsu-probe";

export function createConversation(): Conversation {
  const open = new Map<Id, OpenRequest>();
  const subscriptions = new Map<Id, string>();
  /** Replayed requests whose first answer the client already has. */
  const swallow = new Set<Id>();
  let initialize: { id: Id; line: string; answered: boolean } | undefined;
  let initialized: string | undefined;
  let modernMeta: unknown;

  function fromClient(line: string): void {
    const rpc = readRpcLine(line);
    if (rpc.kind === "request") {
      modernMeta = rpc.meta ?? modernMeta;
      if (rpc.method === "initialize") initialize = { id: rpc.id, line, answered: false };
      else if (rpc.method === REPLAYED) subscriptions.set(rpc.id, line);
      else open.set(rpc.id, { method: rpc.method, modern: rpc.modern });
    } else if (rpc.kind === "notification") {
      if (rpc.method === "notifications/initialized") initialized = line;
      if (rpc.method === "notifications/cancelled" && rpc.requestId !== undefined) {
        open.delete(rpc.requestId);
        subscriptions.delete(rpc.requestId);
      }
    }
  }

  function greeted(line: string): void {
    fromClient(line);
    if (initialize) initialize.answered = true;
  }

  function fromDaemon(line: string): boolean {
    const rpc = readRpcLine(line);
    if (rpc.kind !== "response") return true;
    if (swallow.delete(rpc.id)) return false;
    open.delete(rpc.id);
    subscriptions.delete(rpc.id);
    if (initialize?.id === rpc.id) initialize.answered = true;
    return true;
  }

  function interrupted(): string[] {
    const answers = [...open].map(([id, request]) => restartedAnswer(id, request));
    open.clear();
    swallow.clear();
    return answers;
  }

  function replay(): string[] {
    const lines: string[] = [];
    if (initialize) {
      if (initialize.answered) swallow.add(initialize.id);
      lines.push(initialize.line);
    }
    if (initialized !== undefined) lines.push(initialized);
    lines.push(...subscriptions.values());
    return lines;
  }

  function probe(waiting: readonly string[]): string | undefined {
    if (initialize !== undefined) return undefined;
    const meta = modernMeta ?? waiting.map(metaIn).find((each) => each !== undefined);
    if (meta === undefined) return undefined;
    swallow.add(PROBE_ID);
    const params = { _meta: meta };
    return JSON.stringify({ jsonrpc: "2.0", id: PROBE_ID, method: "server/discover", params });
  }

  function abandonHello(): string[] {
    if (!initialize || initialize.answered) return [];
    const { line } = initialize;
    initialize = undefined;
    return [line];
  }

  return {
    fromClient,
    probe,
    abandonHello,
    greeted,
    fromDaemon,
    interrupted,
    replay,
    isNew: () => initialize === undefined,
    openRequests: () => open.size + (initialize && !initialize.answered ? 1 : 0),
  };
}

export function isInitialize(line: string): boolean {
  const rpc = readRpcLine(line);
  return rpc.kind === "request" && rpc.method === "initialize";
}

function metaIn(line: string): unknown {
  const rpc = readRpcLine(line);
  return rpc.kind === "request" ? rpc.meta : undefined;
}

/** What clients that asked something hear when there is no daemon to be had. */
export function unreachable(lines: readonly string[], why: string): string[] {
  return lines.flatMap((line) => {
    const rpc = readRpcLine(line);
    if (rpc.kind !== "request") return [];
    return JSON.stringify({ jsonrpc: "2.0", id: rpc.id, error: { code: -32000, message: why } });
  });
}

const RESTARTED = {
  error: true,
  code: "DAEMON_RESTARTED",
  message:
    "The daemon was restarted while this call was open; agents go on, nothing acknowledged is lost.",
  hint: "Call again. If the call starts agents, look at list_agents first: it may have been carried out.",
};

/** A tool's caller reads it as a result (so does the model); any other request gets an error. */
function restartedAnswer(id: Id, { method, modern }: OpenRequest): string {
  if (method !== "tools/call") {
    const error = {
      code: -32000,
      message: `DAEMON_RESTARTED: ${RESTARTED.message} ${RESTARTED.hint}`,
    };
    return JSON.stringify({ jsonrpc: "2.0", id, error });
  }
  const result = {
    ...(modern ? { resultType: "complete" } : {}),
    isError: true,
    content: [{ type: "text", text: JSON.stringify(RESTARTED) }],
  };
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}
