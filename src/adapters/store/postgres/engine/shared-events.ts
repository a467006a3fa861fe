import type { AppEvent } from "../../../../contract/events/events.ts";
import { jsonColumn } from "../../sql/engine/json-column.ts";

/** Longer than a notification can be behind the feed. */
const REMEMBER_MS = 30_000;

const EVENTS = jsonColumn<readonly AppEvent[]>();

/** The newest progress of an agent replaces what still waits. */
export function keyOfEvent(event: AppEvent): unknown {
  return event.type === "agent:status_update" ? event.agentId : event;
}

/** Updates have different members: members that only an earlier update has are kept. */
export function mergeEvents(before: AppEvent, next: AppEvent): AppEvent {
  if (before.type !== "agent:status_update" || next.type !== "agent:status_update") return next;
  return { ...next, data: { ...before.data, ...next.data } };
}

/** Throws if the text is not one of ours. */
export function readPayload(payload: string): readonly AppEvent[] {
  return EVENTS.read(payload);
}

type Known = { readonly at: number; readonly event: AppEvent };

/**
 * Progress and stored events of another server come by different ways, so progress may arrive after
 * the event that made it old. Without this a dashboard would show an ended agent as running.
 */
export function createProgressOrder(now: () => number = () => performance.now()) {
  const newest = new Map<string, Known>();

  function forgetOld(): void {
    for (const [agentId, { at }] of newest) {
      if (now() - at < REMEMBER_MS) return;
      newest.delete(agentId);
    }
  }
  return {
    /** Called for every stored event of another server. */
    note(event: AppEvent): void {
      if (event.agentId === null) return;
      forgetOld();
      // Delete first, so that the map stays ordered by time.
      newest.delete(event.agentId);
      newest.set(event.agentId, { at: now(), event });
    },
    /** The event to deliver; undefined: none. */
    admit(event: AppEvent): AppEvent | undefined {
      if (event.type !== "agent:status_update") return event;
      const known = newest.get(event.agentId)?.event;
      if (!known || known.at < event.at) return event;
      // Its last figures are still right.
      if (known.type !== "agent:completed") return undefined;
      return { ...event, data: { ...event.data, status: known.data.status } };
    },
  };
}
