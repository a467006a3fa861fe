import type { WireEvent } from "../../../src/contract/events/events.ts";

export type RaisedAlerts = Extract<WireEvent, { type: "alert:raised" }>["data"];
export type RaisedAlert = RaisedAlerts["alerts"][number];

const listeners = new Set<(raised: RaisedAlerts) => void>();

/** Calls the listener for every message of alerts. Returns a function that ends this. */
export function onRaisedAlerts(listener: (raised: RaisedAlerts) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function publishRaisedAlerts(events: readonly WireEvent[]): void {
  for (const event of events) {
    if (event.type !== "alert:raised") continue;
    for (const listener of listeners) listener(event.data);
  }
}
