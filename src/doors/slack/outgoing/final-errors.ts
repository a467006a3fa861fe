import type { SlackMessage } from "../../../app/ports/slack-store.ts";

/** Nothing can be sent to the workspace until a person repairs the installation. */
const WORKSPACE_ERRORS = [
  "account_inactive",
  "invalid_auth",
  "not_authed",
  "not_installed",
  "org_login_required",
  "team_access_not_granted",
  "token_expired",
  "token_revoked",
];

/** The message was deleted, or may no longer be changed. */
const GONE = ["cant_update_message", "edit_window_closed", "message_not_found"];

/** Slack does not accept what the message shows. */
const UNSHOWABLE = [
  "block_mismatch",
  "cannot_parse_attachment",
  "invalid_attachments",
  "invalid_blocks",
  "invalid_blocks_format",
  "invalid_text",
  "msg_blocks_too_long",
  "msg_too_long",
  "no_text",
  "too_many_attachments",
];

/** A message was posted, its answer was lost, and the app may not look whether it is there. */
export const HISTORY_UNREADABLE = "history_unreadable";
/** Slack did not answer for a day. */
export const GAVE_UP = "gave_up";
/** It is not known whether the message was posted. */
const UNCERTAIN = "uncertain:";

export const isUnshowable = (code: string): boolean => UNSHOWABLE.includes(code);
export const isWorkspaceError = (code: string): boolean => WORKSPACE_ERRORS.includes(code);
export const uncertain = (code: string): string => `${UNCERTAIN}${code}`;

/** A person is needed: a second message is better than none. */
export function mayRepost({ priority, reposts }: SlackMessage, code: string): boolean {
  return priority === 0 && reposts === 0 && (GONE.includes(code) || code === HISTORY_UNREADABLE);
}

export function reposted(message: SlackMessage): SlackMessage {
  return { ...message, ts: null, sentHash: null, status: "new", reposts: message.reposts + 1 };
}

/** Whether the message died of something that may be repaired by now. */
export function isRepairable({ status, error }: Pick<SlackMessage, "status" | "error">): boolean {
  if (status !== "dead" || error === null) return false;
  const code = error.replace(UNCERTAIN, "");
  return isWorkspaceError(code) || code === GAVE_UP;
}

/** The message is tried again; if it may be there, it is looked for first. */
export function revived(message: SlackMessage): SlackMessage {
  const isUnknown = message.error?.startsWith(UNCERTAIN) === true;
  const unposted = isUnknown ? ("posting" as const) : ("new" as const);
  const status = message.ts === null ? unposted : ("posted" as const);
  return { ...message, status, error: null, tries: 0, nextAt: 0 };
}
