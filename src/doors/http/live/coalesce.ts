import type { LiveEvent } from "../../../app/live.ts";
import type { WireEvent } from "../../../contract/events/events.ts";
import type { SingleMessage } from "../../../contract/live.ts";
import { iso } from "../../../contract/shapes/iso.ts";

/** The ids are inside `data`, because clients of single messages read only `{type, data}`. */
export function wireEvent(event: LiveEvent): WireEvent;
/** The compiler cannot see that `type` and `data` stay together; the overload says so. */
export function wireEvent(event: LiveEvent): object {
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

type StatusUpdate = Extract<LiveEvent, { readonly type: "agent:status_update" }>;

/**
 * Keeps only the last status update of each agent. Updates have different members: members that only
 * an earlier update has are kept.
 */
export function coalesce(events: readonly LiveEvent[]): WireEvent[] {
  const updates = new Map<string, StatusUpdate>();
  for (const event of events) {
    if (event.type !== "agent:status_update") continue;
    const before = updates.get(event.agentId);
    updates.set(event.agentId, before ? merged(before, event) : event);
  }
  return events.flatMap((event) => {
    if (event.type !== "agent:status_update") return wireEvent(event);
    const last = updates.get(event.agentId);
    return last?.seq === event.seq ? wireEvent(last) : [];
  });
}

function merged(before: StatusUpdate, next: StatusUpdate): StatusUpdate {
  return { ...next, data: { ...before.data, ...next.data }, id: next.id ?? before.id };
}
