/** Our Slack app: the manifest is generated from this, and the doctor compares the tokens with it. */

export const DEFAULT_NAME = "Kuromajutsu";
/** Slack's limit. */
export const MAX_NAME_LENGTH = 35;

export const BOT_SCOPES = [
  "app_mentions:read",
  "assistant:write",
  "chat:write",
  "commands",
  "im:history",
  "im:read",
  "im:write",
  "channels:read",
  "groups:read",
  "users:read",
  "usergroups:read",
  "files:read",
  "files:write",
] as const;

/** With these we find a message again whose answer was lost; without them it is not posted again. */
export const OPTIONAL_SCOPES = ["channels:history", "groups:history"] as const;

export const BOT_EVENTS = [
  "app_mention",
  "message.im",
  "app_home_opened",
  "agent_session_stopped",
  "app_uninstalled",
  "tokens_revoked",
  "subteam_members_changed",
] as const;

export const SLASH_COMMAND = "/kuro";
export const MESSAGE_SHORTCUT = "kuro_from_message";

/** Events, clicks and commands in HTTP mode. */
export const EVENTS_PATH = "/slack/events";
export const INSTALL_PATH = "/slack/install";
export const REDIRECT_PATH = "/slack/oauth_redirect";
