import type { AppEvent, EventType } from "../contract/events/events.ts";

/** What they say is true of one server only: its upstream connections and its configuration file. */
const OF_ONE_SERVER: ReadonlySet<EventType> = new Set<EventType>([
  "gateway:server_changed",
  "gateway:tools_changed",
  "gateway:tool_quarantined",
  "config:updated",
]);

/** Whether dashboards on other servers need an event that is not stored. */
export function isForAllServers({ type }: Pick<AppEvent, "type">): boolean {
  return !OF_ONE_SERVER.has(type);
}
