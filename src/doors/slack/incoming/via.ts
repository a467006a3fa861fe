import type { SlackRequest } from "../receive/inbox.ts";
import type { Place } from "./place.ts";

/** Where in Slack a person decided, for the audit. */
export function viaOf(
  { team, user }: SlackRequest,
  { channel, messageTs }: Place,
): Readonly<Record<string, string>> {
  return {
    door: "slack",
    team,
    user,
    ...(channel !== undefined && { channel }),
    ...(messageTs !== undefined && { message: messageTs }),
  };
}
