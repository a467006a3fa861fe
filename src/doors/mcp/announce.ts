import type { Core, Identity } from "../../app/core.ts";
import { announceNotifications } from "../../app/notifications/announce-notifications.ts";

/** The notification line for an agent with unread notices; undefined when there is nothing to announce. */
export async function noticeFor(core: Core, identity: Identity): Promise<string | undefined> {
  if (identity.kind !== "agent") return undefined;
  // The tool has already run: a failure here must not cost the caller its answer.
  return announceNotifications(core, identity.agentId).catch((error: unknown) => {
    core.log.error("Notices could not be announced.", { error: String(error) });
    return undefined;
  });
}

/**
 * Structured content with the line as its first key: a model reads from the top, and some clients
 * cut long answers at the end. A `notification` of an upstream server never replaces ours.
 * undefined: there is no object that could carry it.
 */
export function withNotification(
  notification: string,
  structuredContent: unknown,
): Record<string, unknown> | undefined {
  if (typeof structuredContent !== "object" || structuredContent === null) return undefined;
  if (Array.isArray(structuredContent)) return undefined;
  const others = Object.entries(structuredContent).filter(([key]) => key !== "notification");
  return { notification, ...Object.fromEntries(others) };
}
