import type { WebSocket } from "ws";
import type { WireEvent } from "../../../contract/events/events.ts";
import { serverFrameShape, type ServerFrame } from "../../../contract/live.ts";
import { listAgents } from "../../../contract/routes/agents.ts";
import { listApprovals } from "../../../contract/routes/approvals.ts";
import { listGroups } from "../../../contract/routes/groups.ts";
import { listTasks } from "../../../contract/routes/tasks.ts";
import type { Api } from "../terminal/api.ts";
import { openLiveSocket } from "../terminal/live-socket.ts";
import { applyEvent, type Fleet } from "./fleet.ts";

export type FleetListeners = {
  readonly onFleet: (fleet: Fleet) => void;
  readonly onConnection: (connection: "live" | "lost") => void;
};

const RETRY_MS = 500;
/** Many events in a row are one read. */
const READ_AGAIN_MS = 250;

/** Follows the fleet over the WebSocket; resumes after its last event when it was disconnected. */
export function followFleet(api: Api, listeners: FleetListeners): () => void {
  let fleet: Fleet | undefined;
  let epoch: string | undefined;
  let seq = 0;
  let socket: WebSocket | undefined;
  let retry: NodeJS.Timeout | undefined;
  let reading: NodeJS.Timeout | undefined;
  let isClosed = false;

  function connect(): void {
    if (isClosed) return;
    const mine = openLiveSocket(api);
    socket = mine;
    mine.on("open", () => hello(mine));
    mine.on("message", (data) => {
      const text = Buffer.isBuffer(data) ? data.toString() : "";
      const frame = serverFrameShape.safeParse(JSON.parse(text));
      if (frame.success) take(mine, frame.data);
    });
    mine.on("error", () => {});
    mine.on("close", () => {
      if (isClosed) return;
      listeners.onConnection("lost");
      retry = setTimeout(connect, RETRY_MS);
    });
  }

  function hello(to: WebSocket): void {
    to.send(JSON.stringify({ t: "hello", ...(epoch !== undefined && { epoch, seq }) }));
  }

  function take(from: WebSocket, frame: ServerFrame): void {
    switch (frame.t) {
      case "snapshot":
        ({ epoch, seq } = frame);
        publish(frame.state);
        break;
      case "resumed":
        ({ epoch, seq } = frame);
        apply(frame.ev);
        break;
      case "events":
        if (frame.from !== seq + 1) return hello(from);
        seq = frame.to;
        apply(frame.ev);
        break;
      case "done":
      case "error":
        return;
    }
    listeners.onConnection("live");
  }

  function apply(events: readonly WireEvent[]): void {
    if (!fleet) return;
    let next = fleet;
    let isStale = false;
    for (const event of events) {
      const applied = applyEvent(next, event);
      next = applied.fleet;
      isStale ||= applied.isStale;
    }
    publish(next);
    if (isStale) reading ??= setTimeout(() => void readAgain(), READ_AGAIN_MS);
  }

  async function readAgain(): Promise<void> {
    const read = await readFleet(api).catch(() => undefined);
    reading = undefined;
    if (read && !isClosed) publish(read);
  }

  function publish(next: Fleet): void {
    fleet = next;
    listeners.onFleet(next);
  }

  connect();
  return () => {
    isClosed = true;
    clearTimeout(retry);
    clearTimeout(reading);
    socket?.terminate();
  };
}

async function readFleet(api: Api): Promise<Fleet> {
  const [{ groups }, { agents }, { tasks }, { approvals, pending }] = await Promise.all([
    api.call(listGroups, { query: { limit: 500 } }),
    api.call(listAgents, { query: { limit: 1_000 } }),
    api.call(listTasks, { query: {} }),
    api.call(listApprovals, { query: { status: "pending" } }),
  ]);
  return { groups, agents, tasks, approvals, pendingApprovals: pending };
}
