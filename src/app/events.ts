import type { AppEvent, EventOf, EventType, TransientType } from "../contract/events/events.ts";
import type { EventListener, Store } from "./ports/store.ts";
import type { Log } from "./ports/world.ts";

/** Delivers events inside this process, in the order of the commits. */
export type Events = {
  /** For an event that is not stored. Inside a transaction use the unit's `emit` instead. */
  emit(event: EventOf<TransientType>): void;
  /** Returns a function that ends the subscription. */
  on<Type extends EventType>(
    types: readonly Type[],
    react: (event: EventOf<Type>) => void,
  ): () => void;
  /** Without events of other servers: one server is enough to react to an event. */
  onOwn<Type extends EventType>(
    types: readonly Type[],
    react: (event: EventOf<Type>) => void,
  ): () => void;
  /** Only stored events of other servers. */
  onOthers(react: (event: AppEvent) => void): () => void;
  onAny(listener: EventListener): () => void;
  /** Stops the delivery of stored events. */
  close(): void;
};

export type CreateEvents = {
  readonly store: Pick<Store, "subscribe" | "share">;
  readonly log: Pick<Log, "error">;
};

/** An error of one subscriber is logged and keeps the event from no other subscriber. */
export function createEvents({ store, log }: CreateEvents): Events {
  const all = new Set<EventListener>();
  const byType = new Map<EventType, Set<(event: AppEvent, isOwn: boolean) => void>>();

  function attempt(type: EventType, deliver: () => void): void {
    try {
      deliver();
    } catch (error) {
      log.error("A subscriber of an event failed.", { type, error: String(error) });
    }
  }
  const deliver: EventListener = (event, id, isOwn) => {
    for (const listener of all) attempt(event.type, () => listener(event, id, isOwn));
    for (const react of byType.get(event.type) ?? []) {
      attempt(event.type, () => react(event, isOwn));
    }
  };
  const unsubscribe = store.subscribe(deliver);

  function subscribe<Type extends EventType>(
    types: readonly Type[],
    react: (event: EventOf<Type>, isOwn: boolean) => void,
  ): () => void {
    const guarded = (event: AppEvent, isOwn: boolean) => {
      if (isOneOf(types, event)) react(event, isOwn);
    };
    for (const type of types) {
      const known = byType.get(type) ?? new Set();
      byType.set(type, known.add(guarded));
    }
    return () => {
      for (const type of types) byType.get(type)?.delete(guarded);
    };
  }
  function onAny(listener: EventListener): () => void {
    all.add(listener);
    return () => all.delete(listener);
  }
  return {
    emit(event) {
      deliver(event, null, true);
      store.share(event);
    },
    on: (types, react) => subscribe(types, (event) => react(event)),
    onOwn: (types, react) =>
      subscribe(types, (event, isOwn) => {
        if (isOwn) react(event);
      }),
    onOthers: (react) =>
      onAny((event, id, isOwn) => {
        if (!isOwn && id !== null) react(event);
      }),
    onAny,
    close: unsubscribe,
  };
}

function isOneOf<Type extends EventType>(
  types: readonly Type[],
  event: AppEvent,
): event is EventOf<Type> {
  return types.some((type) => type === event.type);
}
