import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as kit from "../../../../test/kit/slack/world.ts";
import { LOCALES } from "../../../domain/locale.ts";
import { BOT_EVENTS, BOT_SCOPES, OPTIONAL_SCOPES } from "./app-definition.ts";
import { slackManifest } from "./manifest.ts";

const text = (max: number) => z.string().min(1).max(max);
const httpsUrl = z.string().startsWith("https://").max(2_500);

/** What Slack accepts, as far as we use it: unknown keys and longer texts are refused there. */
const manifestShape = z.strictObject({
  _metadata: z.strictObject({ major_version: z.literal(2), minor_version: z.int() }),
  display_information: z.strictObject({
    name: text(35),
    description: text(140),
    background_color: z.string().regex(/^#[0-9a-fA-F]{6}$/),
  }),
  features: z.strictObject({
    app_home: z.strictObject({
      home_tab_enabled: z.boolean(),
      messages_tab_enabled: z.boolean(),
      messages_tab_read_only_enabled: z.boolean(),
    }),
    bot_user: z.strictObject({
      display_name: text(80).regex(/^[a-z0-9._-]+$/),
      always_online: z.boolean(),
    }),
    agent_view: z.strictObject({
      agent_description: text(300),
      suggested_prompts: z.array(z.strictObject({ title: text(75), message: text(2_000) })).max(4),
    }),
    slash_commands: z
      .array(
        z.strictObject({
          command: text(32).startsWith("/"),
          url: httpsUrl.optional(),
          description: text(2_000),
          usage_hint: text(1_000),
          should_escape: z.boolean(),
        }),
      )
      .min(1)
      .max(5),
    shortcuts: z
      .array(
        z.strictObject({
          name: text(24),
          type: z.enum(["message", "global"]),
          callback_id: text(255),
          description: text(150),
        }),
      )
      .min(1)
      .max(5),
  }),
  oauth_config: z.strictObject({
    redirect_urls: z.array(httpsUrl).max(1_000).optional(),
    scopes: z.strictObject({
      bot: z.array(text(50)).max(255),
      bot_optional: z.array(text(50)).max(255),
    }),
  }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({
      request_url: httpsUrl.optional(),
      bot_events: z.array(text(50)).max(100),
    }),
    interactivity: z.strictObject({ is_enabled: z.boolean(), request_url: httpsUrl.optional() }),
    org_deploy_enabled: z.boolean(),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.literal(false),
  }),
});

describe.each(LOCALES)("the manifest in the language %s", (locale) => {
  test("fits Slack's schema in Socket Mode and has no address", () => {
    const manifest = slackManifest({ name: "Kuromajutsu", locale, publicUrl: undefined });

    expect(manifestShape.parse(manifest)).toEqual(manifest);
    expect(manifest.settings.socket_mode_enabled).toBe(true);
    expect(JSON.stringify(manifest)).not.toContain("http");
  });

  test("fits Slack's schema in HTTP mode and has the public address everywhere", () => {
    const publicUrl = "https://kuro.example.com";
    const manifest = slackManifest({ name: "Kuromajutsu", locale, publicUrl });

    expect(manifestShape.parse(manifest)).toEqual(manifest);
    expect(manifest.settings).toMatchObject({
      socket_mode_enabled: false,
      event_subscriptions: { request_url: `${publicUrl}/slack/events` },
      interactivity: { request_url: `${publicUrl}/slack/events` },
    });
    expect(manifest.features.slash_commands).toMatchObject([{ url: `${publicUrl}/slack/events` }]);
    expect(manifest.oauth_config.redirect_urls).toEqual([`${publicUrl}/slack/oauth_redirect`]);
  });
});

const botNameOf = (name: string) =>
  slackManifest({ name, locale: "ja", publicUrl: undefined }).features.bot_user.display_name;

test("the bot user of an app with a Japanese name has a name that Slack allows", () => {
  expect(botNameOf("黒魔術")).toBe("kuromajutsu");
  expect(botNameOf("Kuro (HR) 人事")).toBe("kuro-hr");
});

test("an app with Socket Mode can have an address for installing it in several workspaces", () => {
  const manifest = slackManifest({
    name: "Kuromajutsu",
    locale: "en",
    publicUrl: undefined,
    redirectUrl: "https://kuro.example.com",
  });

  expect(manifestShape.parse(manifest)).toEqual(manifest);
  expect(manifest.settings.socket_mode_enabled).toBe(true);
  expect(manifest.oauth_config.redirect_urls).toEqual([
    "https://kuro.example.com/slack/oauth_redirect",
  ]);
});

test("no scope and no event of the manifest is listed twice", () => {
  const { oauth_config, settings } = slackManifest({
    name: "Kuromajutsu",
    locale: "en",
    publicUrl: undefined,
  });
  const scopes = [...oauth_config.scopes.bot, ...oauth_config.scopes.bot_optional];

  expect(scopes).toEqual([...BOT_SCOPES, ...OPTIONAL_SCOPES]);
  expect(new Set(scopes).size).toBe(scopes.length);
  const { bot_events } = settings.event_subscriptions;
  expect(new Set(bot_events).size).toBe(bot_events.length);
});

test("the Slack of the tests grants exactly the scopes of the manifest, and sends its events", () => {
  expect(kit.BOT_SCOPES.toSorted()).toEqual([...BOT_SCOPES, ...OPTIONAL_SCOPES].toSorted());
  expect(kit.BOT_EVENTS).toEqual(expect.arrayContaining([...BOT_EVENTS]));
});
