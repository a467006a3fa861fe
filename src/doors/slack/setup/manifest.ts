import type { Locale } from "../../../domain/locale.ts";
import {
  BOT_EVENTS,
  BOT_SCOPES,
  DEFAULT_NAME,
  EVENTS_PATH,
  MESSAGE_SHORTCUT,
  OPTIONAL_SCOPES,
  REDIRECT_PATH,
  SLASH_COMMAND,
} from "./app-definition.ts";
import { MANIFEST_TEXTS } from "./manifest-texts.ts";

export type ManifestOptions = {
  readonly name: string;
  readonly locale: Locale;
  /** The origin at which Slack reaches the daemon; undefined: Socket Mode. */
  readonly publicUrl: string | undefined;
  /** The origin at which people install the app in several workspaces. Default: `publicUrl`. */
  readonly redirectUrl?: string | undefined;
};

/** The definition of the Slack app, for the page "Create an app from a manifest". */
export function slackManifest(options: ManifestOptions) {
  const { name, locale, publicUrl, redirectUrl = publicUrl } = options;
  const texts = MANIFEST_TEXTS[locale];
  const events = publicUrl === undefined ? undefined : `${publicUrl}${EVENTS_PATH}`;
  return {
    _metadata: { major_version: 2, minor_version: 1 },
    display_information: {
      name,
      description: texts.description,
      background_color: "#1f1035",
    },
    features: {
      app_home: {
        home_tab_enabled: true,
        messages_tab_enabled: true,
        messages_tab_read_only_enabled: false,
      },
      bot_user: { display_name: botName(name), always_online: true },
      agent_view: {
        agent_description: texts.agentDescription,
        suggested_prompts: texts.prompts.map(({ title, message }) => ({ title, message })),
      },
      slash_commands: [
        {
          command: SLASH_COMMAND,
          ...(events && { url: events }),
          description: texts.commandDescription,
          usage_hint: texts.usageHint,
          should_escape: true,
        },
      ],
      shortcuts: [
        {
          name: texts.shortcut,
          type: "message",
          callback_id: MESSAGE_SHORTCUT,
          description: texts.shortcutDescription,
        },
      ],
    },
    oauth_config: {
      ...(redirectUrl !== undefined && { redirect_urls: [`${redirectUrl}${REDIRECT_PATH}`] }),
      scopes: { bot: [...BOT_SCOPES], bot_optional: [...OPTIONAL_SCOPES] },
    },
    settings: {
      event_subscriptions: { ...(events && { request_url: events }), bot_events: [...BOT_EVENTS] },
      interactivity: { is_enabled: true, ...(events && { request_url: events }) },
      org_deploy_enabled: false,
      socket_mode_enabled: publicUrl === undefined,
      token_rotation_enabled: false,
    },
  };
}

/** Slack allows only these characters in the name of a bot user. */
function botName(name: string): string {
  const allowed = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return allowed || DEFAULT_NAME.toLowerCase();
}
