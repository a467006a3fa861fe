import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import type { Core } from "../../src/app/core.ts";
import type { WireEvent } from "../../src/contract/events/events.ts";
import { serverFrameShape, type LiveHello, type ServerFrame } from "../../src/contract/live.ts";
import { until } from "./daemon.ts";

export type LiveSocket = {
  readonly socket: WebSocket;
  /** Every message so far, parsed. */
  readonly messages: unknown[];
  send(message: unknown): void;
  closed(): boolean;
};

export type Connect = {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly protocols?: readonly string[];
};

/** A connected WebSocket; rejects with the HTTP status when the upgrade is refused. */
export async function aLiveSocket(url: string, options: Connect = {}): Promise<LiveSocket> {
  const address = `${url.replace("http", "ws")}${options.path ?? "/ws"}`;
  const socket = new WebSocket(address, [...(options.protocols ?? [])], {
    headers: options.headers ?? {},
  });
  const messages: unknown[] = [];
  let isClosed = false;
  socket.on("message", (data) => messages.push(JSON.parse(textOf(data))));
  socket.on("close", () => (isClosed = true));
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  socket.on("error", () => {});
  onTestFinished(() => socket.terminate());
  return {
    socket,
    messages,
    send: (message) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
    closed: () => isClosed,
  };
}

function textOf(data: WebSocket.RawData): string {
  return Buffer.isBuffer(data) ? data.toString() : "";
}

export type Dashboard = LiveSocket & {
  readonly frames: () => ServerFrame[];
  frame<T extends ServerFrame["t"]>(t: T): Promise<Extract<ServerFrame, { t: T }>>;
};

/** A client that says hello, as the web app does. */
export async function aDashboard(
  url: string,
  hello: Omit<LiveHello, "t"> = {},
  options: Connect = {},
): Promise<Dashboard> {
  const socket = await aLiveSocket(url, options);
  socket.send({ t: "hello", ...hello });
  // On a slow machine the hello may arrive late, after single messages of the older protocol.
  const parsed: ServerFrame[] = [];
  let read = 0;
  const frames = () => {
    // Each message is parsed once, because tests ask after each of them.
    for (; read < socket.messages.length; read += 1) {
      const message = socket.messages[read];
      if (isFrame(message)) parsed.push(serverFrameShape.parse(message));
    }
    return [...parsed];
  };
  return {
    ...socket,
    frames,
    async frame(t) {
      let found: ReturnType<typeof ofKind<typeof t>>;
      await until(() => (found = ofKind(frames(), t)) !== undefined);
      if (!found) throw new Error(`no ${t}`);
      return found;
    },
  };
}

function isFrame(message: unknown): boolean {
  return typeof message === "object" && message !== null && "t" in message;
}

function ofKind<T extends ServerFrame["t"]>(frames: readonly ServerFrame[], t: T) {
  return frames.find((frame): frame is Extract<ServerFrame, { t: T }> => frame.t === t);
}

const single = z.object({
  type: z.string(),
  seq: z.number(),
  data: z.record(z.string(), z.unknown()),
});

export function singles(socket: LiveSocket) {
  return socket.messages.map((message) => single.parse(message));
}

/** Increments the counter of one agent, as reading its stream does. */
export function tick({ events, clock }: Core, count: number): void {
  events.emit({
    type: "agent:status_update",
    groupId: "grp-1-a",
    agentId: "impl-code-1-a",
    data: { status: "running", toolCallCount: count },
    at: clock.now(),
  });
}

/** Keeps the state of a client and collects every protocol rule that a frame breaks. */
export function aFollower() {
  const problems: string[] = [];
  const kinds: string[] = [];
  const agents = new Map<string, Record<string, unknown>>();
  let known: { epoch: string; seq: number } | undefined;
  const ids = new Set<number>();
  /** Another epoch may deliver an event again. */
  const idsOfEpoch = new Set<number>();

  function takeId(id: number | undefined): void {
    if (id === undefined) return;
    if (idsOfEpoch.has(id)) problems.push(`the stored event ${id} came twice`);
    idsOfEpoch.add(id);
    ids.add(id);
  }
  function takeEvents(after: number, to: number, ev: readonly WireEvent[]): void {
    const { seq: at = NaN } = known ?? {};
    if (after !== at) problems.push(`a frame goes on after ${after}, the client has ${at}`);
    let last = at;
    for (const { seq, id: stored, type, data } of ev) {
      takeId(stored);
      if (seq <= last || seq > to) problems.push(`${seq} came after ${last} in a frame to ${to}`);
      last = seq;
      const id = "agentId" in data ? String(data.agentId) : "undefined";
      // The status in a report is not that of the agent.
      const reported = type === "agent:result_reported" ? { status: "resultReported" } : {};
      agents.set(id, { ...agents.get(id), ...data, ...reported });
    }
    known = { epoch: known?.epoch ?? "", seq: to };
  }

  return {
    problems,
    /** The numbers of the stored events that it has seen. */
    ids: (): ReadonlySet<number> => ids,
    seq: () => known?.seq,
    hello: (): Omit<LiveHello, "t"> => known ?? {},
    count: (kind: ServerFrame["t"]) => kinds.filter((each) => each === kind).length,
    stateOf: (agentId: string) => agents.get(agentId),
    take(frame: ServerFrame): void {
      kinds.push(frame.t);
      if (frame.t === "snapshot") {
        if (frame.epoch !== known?.epoch) idsOfEpoch.clear();
        known = { epoch: frame.epoch, seq: frame.seq };
        for (const agent of frame.state.agents) agents.set(agent.agentId, agent);
      } else if (frame.t === "resumed") takeEvents(known?.seq ?? NaN, frame.seq, frame.ev);
      else if (frame.t === "events") takeEvents(frame.from - 1, frame.to, frame.ev);
      else problems.push(JSON.stringify(frame));
    },
  };
}
