import { DAEMON_RESTARTED, RESTARTED_RESULT } from "../../contract/daemon-restarted.ts";
import { readRpcLine } from "./json-rpc-line.ts";

type Id = string | number;
type OpenRequest = { readonly method: string; readonly modern: boolean };

/**
 * The state of one client's conversation that the pipe needs to continue it with another daemon:
 * the handshake, open subscriptions and unanswered requests. Pure: lines in, lines out.
 */
export type Conversation = {
  /** Records a line that is sent to the daemon. */
  fromClient(line: string): void;
  /** Records an `initialize` that was answered before the daemon received it. */
  greeted(line: string): void;
  /** Records a line of the daemon. False: a second answer to a replayed line; drop it. */
  fromDaemon(line: string): boolean;
  /** The connection to the daemon is lost: returns the answers to all open requests. */
  interrupted(): string[];
  /** The lines to send first to a new daemon. */
  replay(): string[];
  /**
   * A request that every live daemon answers, for a client whose replay contains none. `waiting` has
   * the lines that were not sent yet. Undefined: the handshake is the probe, or the client has sent
   * nothing to build one from.
   */
  probe(waiting: readonly string[]): string | undefined;
  openRequests(): number;
  /** Forgets and returns an unanswered `initialize`, because no daemon answers. */
  abandonHello(): string[];
  /** The client has not sent `initialize` yet. */
  isNew(): boolean;
};

const REPLAYED = "subscriptions/listen";

/** An id that no client uses. */
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

/** Answers to the requests among these lines when no daemon can be reached. */
export function unreachable(lines: readonly string[], why: string): string[] {
  return lines.flatMap((line) => {
    const rpc = readRpcLine(line);
    if (rpc.kind !== "request") return [];
    return JSON.stringify({ jsonrpc: "2.0", id: rpc.id, error: { code: -32000, message: why } });
  });
}

/** A tool call is answered with a result, so that the model sees it; other requests get an error. */
function restartedAnswer(id: Id, { method, modern }: OpenRequest): string {
  if (method !== "tools/call") {
    const error = {
      code: -32000,
      message: `${DAEMON_RESTARTED.code}: ${DAEMON_RESTARTED.message} ${DAEMON_RESTARTED.hint}`,
    };
    return JSON.stringify({ jsonrpc: "2.0", id, error });
  }
  const result = { ...(modern ? { resultType: "complete" } : {}), ...RESTARTED_RESULT };
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}
