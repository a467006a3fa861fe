import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Core, Identity } from "../../app/core.ts";
import { announceNotifications } from "../../app/notifications/announce-notifications.ts";
import { isRecord } from "../../base/narrow.ts";
import type { ToolAnswer } from "./run-pipeline.ts";

/** The notification line for an agent with unread notifications; undefined: nothing to announce. */
export async function notificationLineFor(
  core: Core,
  identity: Identity,
): Promise<string | undefined> {
  if (identity.kind !== "agent") return undefined;
  // The tool has already run: a failure here must not cost the caller its answer.
  return announceNotifications(core, identity.agentId).catch((error: unknown) => {
    core.log.error("Notifications could not be announced.", { error: String(error) });
    return undefined;
  });
}

/**
 * The answer as it is sent. The line leads both the text and the structured content, because some
 * clients show the model only one of them.
 */
export function announce(
  { content, structuredContent, isError }: ToolAnswer,
  notification: string | undefined,
): CallToolResult {
  const structured =
    (notification === undefined ? undefined : withNotification(notification, structuredContent)) ??
    structuredContent;
  const line = notification === undefined ? [] : [textOf(notification)];
  return {
    content: content ? [...line, ...content] : [textOf(JSON.stringify(structured))],
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(isError ? { isError } : {}),
  };
}

/**
 * Structured content with the line as its first key: a model reads from the top, and some clients
 * truncate long answers. A `notification` of an upstream server never replaces ours. undefined:
 * there is no object that could carry the line.
 */
export function withNotification(
  notification: string,
  structuredContent: unknown,
): Record<string, unknown> | undefined {
  if (!isRecord(structuredContent)) return undefined;
  const others = Object.entries(structuredContent).filter(([key]) => key !== "notification");
  return { notification, ...Object.fromEntries(others) };
}

function textOf(text: string) {
  return { type: "text" as const, text };
}
