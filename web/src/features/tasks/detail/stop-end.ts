import type { WireNotification } from "../../../api/task-detail.ts";

/** How the notification of a stop came to its end; the card and the feed use the same words. */
export type StopEnd =
  | "reported"
  | "reportedUnread"
  | "ended"
  | "endedUnread"
  | "replaced"
  /** An earlier version cleared it without recording why. */
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
