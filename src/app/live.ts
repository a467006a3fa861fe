import { truncate } from "../base/truncate.ts";
import type { AppEvent } from "../contract/events/events.ts";
import type { Events } from "./events.ts";

const RING_SIZE = 5_000;
/** The ring must fit into memory; the store has the whole text. */
const MAX_TEXT_CHARS = 2_000;

/** `seq` counts the events of this process; `id` is the store's number of a stored event. */
export type LiveEvent = AppEvent & { readonly seq: number; readonly id: number | null };

export type LiveListener = (event: LiveEvent) => void;

/** The newest events, numbered, for dashboards that reconnect. Use cases subscribe to `Events`. */
export type Live = {
  /** Identifies this process: a `seq` of another epoch means nothing here. */
  readonly epoch: string;
  /** The number of the last event; 0 before the first. */
  seq(): number;
  subscribe(listener: LiveListener): () => void;
  /** The events after `seq`; undefined when some of them are no longer in the ring. */
  since(seq: number): readonly LiveEvent[] | undefined;
};

export function createLive(
  epoch: string,
  events: Pick<Events, "onAny">,
  ringSize = RING_SIZE,
): Live {
  const listeners = new Set<LiveListener>();
  const ring: LiveEvent[] = [];
  let last = 0;
  const isLate = createLateness(ringSize);

  events.onAny((event, id) => {
    if (isLate(event, id)) return;
    const entry = { ...truncated(event), seq: ++last, id };
    ring[entry.seq % ringSize] = entry;
    for (const listener of listeners) listener(entry);
  });

  return {
    epoch,
    seq: () => last,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    since(seq) {
      if (seq > last || last - seq > ringSize) return undefined;
      const found: LiveEvent[] = [];
      for (let wanted = seq + 1; wanted <= last; wanted++) {
        const event = ring[wanted % ringSize];
        if (event?.seq !== wanted) return undefined;
        found.push(event);
      }
      return found;
    },
  };
}

/**
 * Progress of agents on other servers comes beside the stored events, and may come after the end of
 * its agent: a dashboard would show an agent as running that has ended.
 */
function createLateness(remembered: number): (event: AppEvent, id: number | null) => boolean {
  const ended = new Set<string>();
  return (event, id) => {
    if (event.type === "agent:completed") {
      ended.add(event.agentId);
      const [oldest = ""] = ended;
      if (ended.size > remembered) ended.delete(oldest);
    }
    return id === null && event.type === "agent:status_update" && ended.has(event.agentId);
  };
}

function truncated<Event extends AppEvent>(event: Event): Event {
  const long = Object.entries(event.data).filter(([, value]) => isLong(value));
  if (long.length === 0) return event;
  const cut = Object.fromEntries(
    long.map(([key, value]) => [key, truncate(String(value), MAX_TEXT_CHARS)]),
  );
  return { ...event, data: Object.assign({}, event.data, cut) };
}

function isLong(value: unknown): value is string {
  return typeof value === "string" && value.length > MAX_TEXT_CHARS;
}
