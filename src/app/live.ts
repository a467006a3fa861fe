import type { DomainEvent, StoredEvent } from "./ports/store.ts";

const RING_SIZE = 5_000;
/** The ring is for watchers; who wants a long text whole asks the store. */
const MAX_TEXT_CHARS = 2_000;

/** What is told: committed events, and transient ones (counters, previews) nobody stores. */
export type News = StoredEvent | (DomainEvent & { readonly seq?: undefined });

/** `seq` counts what was told in this process; `id` is the store's number of a committed event. */
export type LiveEvent = DomainEvent & { readonly seq: number; readonly id: number | null };

export type LiveListener = (event: LiveEvent) => void;

/** Tells those who watch or wait, in this process, what has just happened. */
export type Live = {
  /** This process: a `seq` of another epoch means nothing here. */
  readonly epoch: string;
  /** Of the last event told; 0 before the first. */
  seq(): number;
  publish(news: readonly News[]): void;
  /** Something worth seeing that nobody needs later. */
  tell(event: DomainEvent): void;
  subscribe(listener: LiveListener): () => void;
  /** What was told after `seq`; undefined when that cannot be said without a gap. */
  since(seq: number): readonly LiveEvent[] | undefined;
};

export function createLive(epoch: string, ringSize = RING_SIZE): Live {
  const listeners = new Set<LiveListener>();
  const ring: LiveEvent[] = [];
  let last = 0;

  function enter(news: News): void {
    const { type, groupId, agentId, at } = news;
    const event = {
      type,
      groupId,
      agentId,
      at,
      data: shortened(news.data),
      seq: ++last,
      id: news.seq ?? null,
    };
    ring[event.seq % ringSize] = event;
    for (const listener of listeners) listener(event);
  }

  return {
    epoch,
    seq: () => last,
    publish(news) {
      for (const each of news) enter(each);
    },
    tell({ type, groupId, agentId, data, at }) {
      enter({ type, groupId, agentId, data, at });
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    since(seq) {
      if (seq > last || last - seq > ringSize) return undefined;
      const events: LiveEvent[] = [];
      for (let wanted = seq + 1; wanted <= last; wanted++) {
        const event = ring[wanted % ringSize];
        if (event?.seq !== wanted) return undefined;
        events.push(event);
      }
      return events;
    },
  };
}

function shortened(data: DomainEvent["data"]): DomainEvent["data"] {
  if (!Object.values(data).some(isLong)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, isLong(value) ? startOf(value) : value]),
  );
}

function isLong(value: unknown): value is string {
  return typeof value === "string" && value.length > MAX_TEXT_CHARS;
}

function startOf(text: string): string {
  const isHalfCharacter = /[\ud800-\udbff]$/;
  return `${text.slice(0, MAX_TEXT_CHARS).replace(isHalfCharacter, "")}…`;
}
