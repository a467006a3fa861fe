import type { LiveEvent } from "../../../app/live.ts";
import type { SingleMessage, WireEvent } from "../../../contract/live.ts";
import { iso } from "../../../contract/shapes/iso.ts";

/** The ids are inside `data`: the seed's clients read `{type, data}` and nothing else. */
export function wireEvent(event: LiveEvent): WireEvent {
  return {
    seq: event.seq,
    type: event.type,
    data: {
      ...(event.groupId === null ? {} : { groupId: event.groupId }),
      ...(event.agentId === null ? {} : { agentId: event.agentId }),
      at: iso(event.at),
      ...event.data,
    },
    ...(event.id === null ? {} : { id: event.id }),
  };
}

export function singleMessage(event: LiveEvent): SingleMessage {
  const { seq, type, data } = wireEvent(event);
  return { type, data, seq };
}

/**
 * Status updates say how an agent stands, so of several the last is enough. Updates differ in what
 * they mention: what only an earlier one said is kept.
 */
export function coalesce(events: readonly LiveEvent[]): WireEvent[] {
  const kept = new Map<string | number, LiveEvent>();
  for (const event of events) {
    const isStatus = event.type === "agent:status_update" && event.agentId !== null;
    const key = isStatus ? event.agentId : event.seq;
    const before = kept.get(key);
    // Deleted first: a map keeps its order by first insertion, and frames are ordered by seq.
    if (before) kept.delete(key);
    kept.set(key, before ? merged(before, event) : event);
  }
  return Array.from(kept.values(), wireEvent);
}

function merged(before: LiveEvent, next: LiveEvent): LiveEvent {
  return { ...next, data: { ...before.data, ...next.data }, id: next.id ?? before.id };
}
