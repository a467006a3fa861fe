import type { WireNotification } from "../../../api/task-detail.ts";

/** How a stop notification ended; card and feed use the same words. */
export type StopEnd =
  | "reported"
  | "reportedUnread"
  | "ended"
  | "endedUnread"
  | "replaced"
  /** Cleared by an earlier version, which did not record the reason. */
  | "unknown";

export function stopEnd(
  clearReason: WireNotification["clearReason"] | undefined,
  wasRead: boolean,
): StopEnd {
  switch (clearReason) {
    case "reported":
      return wasRead ? "reported" : "reportedUnread";
    case "ended":
      return wasRead ? "ended" : "endedUnread";
    case "replaced":
      return "replaced";
    case null:
    case undefined:
      return "unknown";
  }
}
