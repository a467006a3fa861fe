import type { EventListener } from "../../../../app/ports/store.ts";
import type { Log } from "../../../../app/ports/world.ts";
import type { AppEvent } from "../../../../contract/events/events.ts";

/** What a transaction collects; a rollback drops all of it. */
export type AfterCommit = {
  readonly events: { readonly event: AppEvent; id: number | null }[];
  readonly callbacks: (() => void | Promise<void>)[];
};

export type Publisher = {
  subscribe(listener: EventListener): () => void;
  /** Starts the callbacks, then publishes the events; resolves once the callbacks are done. */
  publish(after: AfterCommit): Promise<void>;
};

/** An error after the commit is logged: the transaction stays committed, and the others go on. */
export function createPublisher(log: Pick<Log, "error"> | undefined): Publisher {
  const listeners = new Set<EventListener>();

  async function run(act: () => void | Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      log?.error("A callback after a commit failed.", { error: String(error) });
    }
  }
  function deliver(listener: EventListener, event: AppEvent, id: number | null): void {
    try {
      listener(event, id);
    } catch (error) {
      const { type } = event;
      log?.error("A subscriber of the store failed.", { type, error: String(error) });
    }
  }
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async publish({ events, callbacks }) {
      const running = callbacks.map(run);
      for (const { event, id } of events) {
        for (const listener of listeners) deliver(listener, event, id);
      }
      await Promise.all(running);
    },
  };
}
