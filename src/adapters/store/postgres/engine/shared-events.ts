import type { AppEvent } from "../../../../contract/events/events.ts";
import { jsonColumn } from "../../sql/engine/json-column.ts";

/** PostgreSQL refuses payloads of 8000 bytes. */
const MAX_PAYLOAD_BYTES = 7_900;
const GATHER_MS = 50;
/** Longer than a notification can be behind the feed. */
const REMEMBER_MS = 30_000;

const EVENTS = jsonColumn<readonly AppEvent[]>();

export type Gatherer<Item> = { add(item: Item): void; close(): void };

export type Gather<Item> = {
  /** An item replaces one with the same key that still waits. */
  readonly keyOf: (item: Item) => unknown;
  readonly merge?: (before: Item, next: Item) => Item;
  readonly send: (payloads: readonly string[]) => void;
};

/** Collects items and sends them together, so that many of them cost few notifications. */
export function createGatherer<Item extends object>(gather: Gather<Item>): Gatherer<Item> {
  const { keyOf, merge = (_before, next) => next, send } = gather;
  const waiting = new Map<unknown, Item>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    timer = undefined;
    const payloads = toPayloads([...waiting.values()]);
    waiting.clear();
    if (payloads.length > 0) send(payloads);
  }
  return {
    add(item) {
      const key = keyOf(item);
      const before = waiting.get(key);
      waiting.set(key, before ? merge(before, item) : item);
      timer ??= setTimeout(flush, GATHER_MS).unref();
    },
    close: () => clearTimeout(timer),
  };
}

/** The newest progress of an agent replaces what still waits. */
export function keyOfEvent(event: AppEvent): unknown {
  return event.type === "agent:status_update" ? event.agentId : event;
}

/** Updates have different members: members that only an earlier update has are kept. */
export function mergeEvents(before: AppEvent, next: AppEvent): AppEvent {
  if (before.type !== "agent:status_update" || next.type !== "agent:status_update") return next;
  return { ...next, data: { ...before.data, ...next.data } };
}

/** As few payloads as possible. An item that fits into none is left out: it is only progress. */
export function toPayloads(items: readonly object[]): readonly string[] {
  const payloads: string[] = [];
  let parts: string[] = [];
  let bytes = 2;
  for (const item of items) {
    const part = JSON.stringify(item);
    const size = Buffer.byteLength(part) + 1;
    if (size + 2 > MAX_PAYLOAD_BYTES) continue;
    if (bytes + size > MAX_PAYLOAD_BYTES) {
      payloads.push(`[${parts.join(",")}]`);
      parts = [];
      bytes = 2;
    }
    parts.push(part);
    bytes += size;
  }
  if (parts.length > 0) payloads.push(`[${parts.join(",")}]`);
  return payloads;
}

/** Throws if the text is not one of ours. */
export function readPayload(payload: string): readonly AppEvent[] {
  return EVENTS.read(payload);
}

type Known = { readonly at: number; readonly event: AppEvent };

/**
 * Progress and stored events of another server come by different ways, so progress may arrive after
 * the event that made it old. Without this a dashboard would show an ended agent as running.
 */
export function createProgressOrder(now: () => number = () => performance.now()) {
  const newest = new Map<string, Known>();

  function forgetOld(): void {
    for (const [agentId, { at }] of newest) {
      if (now() - at < REMEMBER_MS) return;
      newest.delete(agentId);
    }
  }
  return {
    /** Called for every stored event of another server. */
    note(event: AppEvent): void {
      if (event.agentId === null) return;
      forgetOld();
      // Delete first, so that the map stays ordered by time.
      newest.delete(event.agentId);
      newest.set(event.agentId, { at: now(), event });
    },
    /** The event to deliver; undefined: none. */
    admit(event: AppEvent): AppEvent | undefined {
      if (event.type !== "agent:status_update") return event;
      const known = newest.get(event.agentId)?.event;
      if (!known || known.at < event.at) return event;
      // Its last figures are still right.
      if (known.type !== "agent:completed") return undefined;
      return { ...event, data: { ...event.data, status: known.data.status } };
    },
  };
}
