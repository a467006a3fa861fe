import { createEvents, type Events } from "../../src/app/events.ts";
import type { EventListener } from "../../src/app/ports/store.ts";
import type { AppEvent } from "../../src/contract/events/events.ts";

export type SomeEvents = Events & {
  /** What a store does after a commit. */
  publish(event: AppEvent, id?: number): void;
  readonly errors: string[];
};

/** Events without a store. */
export function someEvents(): SomeEvents {
  const listeners = new Set<EventListener>();
  const errors: string[] = [];
  const store = {
    subscribe(listener: EventListener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    share() {},
  };
  return {
    ...createEvents({ store, log: { error: (message) => void errors.push(message) } }),
    publish(event, id = 1) {
      for (const listener of listeners) listener(event, id, true);
    },
    errors,
  };
}
