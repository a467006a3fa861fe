import type { StoredEvent } from "./ports/store.ts";

export type LiveListener = (event: StoredEvent) => void;

/** Tells those who wait, in this process, what has just been committed. */
export type Live = {
  publish(events: readonly StoredEvent[]): void;
  subscribe(listener: LiveListener): () => void;
};

export function createLive(): Live {
  const listeners = new Set<LiveListener>();
  return {
    publish(events) {
      for (const event of events) for (const listener of listeners) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
