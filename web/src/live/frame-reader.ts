import type { WireEvent } from "../../../src/contract/events/events.ts";
import type { ServerFrame } from "../../../src/contract/live.ts";
import { applyToStore, replaceState, setConnection } from "./store.ts";

export type FrameListeners = {
  readonly onEvents: (events: readonly WireEvent[]) => void;
  /** After every snapshot: data that was read before may be stale. */
  readonly onSnapshot: () => void;
};

/** Applies the daemon's frames to the store, and knows the last event for the next connection. */
export function createFrameReader({ onEvents, onSnapshot }: FrameListeners) {
  const events = createEventQueue(onEvents);
  let epoch: string | undefined;
  let seq = 0;
  return {
    seq: () => seq,
    /** Part of the hello that asks the daemon for the events after the last one. */
    position: () => (epoch === undefined ? {} : { epoch, seq }),
    forget(): void {
      epoch = undefined;
    },
    /** "gap": events are missing before those of the frame. */
    take(frame: ServerFrame): "applied" | "gap" | "ignored" {
      switch (frame.t) {
        case "snapshot":
          events.clear();
          ({ epoch, seq } = frame);
          replaceState(frame.state);
          onSnapshot();
          return "applied";
        case "resumed":
          ({ epoch, seq } = frame);
          events.push(frame.ev);
          return "applied";
        case "events":
          if (frame.from !== seq + 1) return "gap";
          seq = frame.to;
          events.push(frame.ev);
          return "applied";
        case "done":
        case "error":
          return "ignored";
      }
    },
    close: () => events.close(),
  };
}

/** Applies events once per frame of the screen, however many messages arrive, and counts them. */
function createEventQueue(onEvents: FrameListeners["onEvents"]) {
  let queue: WireEvent[] = [];
  let isFrameAsked = false;
  let recent = 0;
  const rate = setInterval(() => {
    setConnection({ eventsPerSecond: recent });
    recent = 0;
  }, 1_000);

  function apply(): void {
    isFrameAsked = false;
    const now = queue;
    queue = [];
    applyToStore(now);
    onEvents(now);
  }

  return {
    push(events: readonly WireEvent[]): void {
      queue.push(...events);
      recent += events.length;
      if (isFrameAsked) return;
      isFrameAsked = true;
      // A hidden tab gets no animation frames; its title badge must still be right.
      if (document.hidden) setTimeout(apply, 250);
      else requestAnimationFrame(apply);
    },
    clear(): void {
      queue = [];
    },
    close(): void {
      clearInterval(rate);
    },
  };
}
