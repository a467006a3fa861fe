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
  /** Resolves once the callbacks are done; all of them have started when it returns. */
  runCallbacks(callbacks: AfterCommit["callbacks"]): Promise<void>;
  deliver(events: AfterCommit["events"], isOwn: boolean): void;
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
  function attempt({ type }: AppEvent, deliverOne: () => void): void {
    try {
      deliverOne();
    } catch (error) {
      log?.error("A subscriber of the store failed.", { type, error: String(error) });
    }
  }
  async function runCallbacks(callbacks: AfterCommit["callbacks"]): Promise<void> {
    await Promise.all(callbacks.map(run));
  }
  function deliver(events: AfterCommit["events"], isOwn: boolean): void {
    for (const { event, id } of events) {
      for (const listener of listeners) attempt(event, () => listener(event, id, isOwn));
    }
  }
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    runCallbacks,
    deliver,
    async publish({ events, callbacks }) {
      const running = runCallbacks(callbacks);
      deliver(events, true);
      await running;
    },
  };
}
