import { fieldsOf, textOf, type Fields } from "../../../src/base/narrow.ts";
import { listOf } from "./elements.ts";
import type { ShownMessage, SlackUser, SlackView } from "./shapes.ts";
import { BOT_SCOPES, withIds } from "./world.ts";

/** The emulator has one workspace with this id. */
export const TEAM = { id: "T000000001", name: "acme", domain: "acme" };

/** What the emulator begins with: the app, its token, people with their tokens and a channel. */
export function seedOf(
  app: { readonly id: string; readonly clientId: string; readonly clientSecret: string },
  { botUserId, botId }: { readonly botUserId: string; readonly botId: string },
  botToken: string,
  tokens: ReadonlyMap<string, string>,
  channel: string,
): Fields {
  const scopes = [...BOT_SCOPES, "channels:join"];
  const ours = { app_id: app.id, bot_id: botId, bot_user_id: botUserId };
  return {
    team: TEAM,
    users: [...tokens.keys()].map((name) => ({ name })),
    channels: [{ name: channel }],
    oauth_apps: [
      {
        ...ours,
        client_id: app.clientId,
        client_secret: app.clientSecret,
        name: "Kuromajutsu",
        bot_name: "kuromajutsu",
        redirect_uris: [],
        scopes,
      },
    ],
    tokens: [
      { ...ours, token: botToken, type: "bot", user_id: botUserId, scopes },
      ...[...tokens].map(([user, token]) => ({
        token,
        user,
        type: "user",
        scopes: ["chat:write", "files:write", "files:read"],
      })),
    ],
    strict_scopes: true,
  };
}

export function userOf(member: Fields): SlackUser {
  const name = textOf(member["name"]) ?? "";
  return {
    id: textOf(member["id"]) ?? "",
    name,
    teamId: TEAM.id,
    email: `${name}@emulate.dev`,
    locale: "ja-JP",
    isAdmin: member["is_admin"] === true,
    isBot: member["is_bot"] === true,
    isRestricted: false,
    isUltraRestricted: false,
    deleted: member["deleted"] === true,
  };
}

export function shownOf(wire: Fields): ShownMessage {
  const { ts, channel, user, text, thread_ts, blocks, attachments, metadata, files } = wire;
  return {
    ...withIds({
      text: textOf(text) ?? "",
      ...(blocks !== undefined && { blocks: listOf(blocks) }),
      ...(attachments !== undefined && { attachments: listOf(attachments) }),
    }),
    ...(metadata !== undefined && { metadata: fieldsOf(metadata) }),
    ...(files !== undefined && { files: listOf(files) }),
    ts: textOf(ts) ?? "",
    channel: textOf(channel) ?? "",
    user: textOf(user) ?? "",
    threadTs: textOf(thread_ts),
  };
}

export function viewOf(wire: Fields, userId: string): SlackView {
  const { id, type, hash, root_view_id, previous_view_id } = wire;
  return {
    id: textOf(id) ?? "",
    type: type === "home" ? "home" : "modal",
    userId,
    view: wire,
    hash: textOf(hash) ?? "",
    rootId: textOf(root_view_id) ?? "",
    previousId: textOf(previous_view_id) ?? null,
    errors: {},
  };
}
