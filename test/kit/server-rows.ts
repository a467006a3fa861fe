import type { ServerMessage, ServerMessages } from "../../src/app/ports/server-messages.ts";
import type { ServerRow } from "../../src/app/ports/servers.ts";

/** A server that runs agents. */
export function aServerRow(id: string, over: Partial<ServerRow> = {}): ServerRow {
  return {
    id,
    host: id,
    pid: 1,
    version: "0",
    url: null,
    configHash: "x",
    slots: null,
    labels: [],
    startedAt: 0,
    seenMsAgo: 0,
    hasLeft: false,
    isLeader: true,
    agents: 0,
    ...over,
  };
}

type Listeners = Set<(message: ServerMessage) => void>;

/** The messages of two servers to each other. */
export function twoLines(): readonly [ServerMessages, ServerMessages] {
  const [one, two]: [Listeners, Listeners] = [new Set(), new Set()];
  return [aLine(one, two), aLine(two, one)];
}

function aLine(own: Listeners, others: Listeners): ServerMessages {
  return {
    send: (message) => {
      for (const listener of others) listener(message);
    },
    on(listener) {
      own.add(listener);
      return () => void own.delete(listener);
    },
  };
}
