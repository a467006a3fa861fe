import type { Fields } from "../../../../src/base/narrow.ts";
import type {
  SlackChannel,
  SlackFile,
  SlackTeam,
  SlackUser,
  SlackView,
  StoredMessage,
} from "../shapes.ts";

/** A message as the Web API and the payloads of interactions have it. */
export function wireMessage(
  team: Pick<SlackTeam, "id">,
  appId: string,
  message: StoredMessage,
): Fields {
  const { ts, threadTs, user, botId, subtype, versions } = message;
  const content = versions.at(-1);
  return {
    type: "message",
    ...(subtype !== undefined && { subtype }),
    user,
    ts,
    ...(botId !== undefined && { bot_id: botId, app_id: appId }),
    text: content?.text ?? "",
    team: team.id,
    ...(threadTs !== undefined && { thread_ts: threadTs }),
    ...(content?.blocks && { blocks: content.blocks }),
    ...(content?.attachments && { attachments: content.attachments }),
    ...(content?.files && { files: content.files }),
    ...(versions.length > 1 && { edited: { user, ts } }),
  };
}

export function wireUser(team: SlackTeam, user: SlackUser): Fields {
  const { id, name, teamId, email, deleted, isAdmin, isBot, locale } = user;
  return {
    id,
    team_id: teamId,
    name,
    real_name: name,
    deleted,
    locale,
    tz: "Asia/Tokyo",
    tz_offset: 32_400,
    profile: { real_name: name, display_name: name, email, team: teamId },
    is_admin: isAdmin,
    is_owner: false,
    is_restricted: user.isRestricted,
    is_ultra_restricted: user.isUltraRestricted,
    is_bot: isBot,
    is_app_user: false,
    // Slack sets this only for users of other workspaces.
    // A user who shares a channel with the app is no stranger.
    ...(teamId !== team.id && { is_stranger: !isNearApp(team, id) }),
  };
}

function isNearApp({ channels, botUserId }: SlackTeam, userId: string): boolean {
  const all = [...channels.values()];
  return all.some(({ members }) => members.has(userId) && members.has(botUserId));
}

export function wireChannel(channel: SlackChannel, botUserId: string): Fields {
  const { id, name, kind, members, isArchived } = channel;
  return {
    id,
    ...(kind === "im"
      ? { user: [...members].find((each) => each !== botUserId) }
      : { name, name_normalized: name }),
    is_channel: kind === "public",
    is_group: kind === "private",
    is_im: kind === "im",
    is_private: kind !== "public",
    is_archived: isArchived,
    is_member: members.has(botUserId),
    num_members: members.size,
  };
}

export function wireFile(team: SlackTeam, file: SlackFile, url: string): Fields {
  const { id, name, mimetype, user, content, channels } = file;
  const place = `${url}/files-pri/${team.id}-${id}`;
  return {
    id,
    name,
    title: name,
    mimetype,
    filetype: name.split(".").at(-1),
    user,
    user_team: team.id,
    size: content.length,
    mode: "hosted",
    is_external: false,
    channels: [...channels],
    url_private: `${place}/${encodeURIComponent(name)}`,
    url_private_download: `${place}/download/${encodeURIComponent(name)}`,
    permalink: `https://${team.domain}.slack.com/files/${user}/${id}`,
  };
}

export function wireView(
  team: Pick<SlackTeam, "id" | "botId">,
  appId: string,
  view: SlackView,
): Fields {
  const { id, hash, rootId, previousId } = view;
  return {
    private_metadata: "",
    callback_id: "",
    external_id: "",
    clear_on_close: false,
    notify_on_close: false,
    close: null,
    submit: null,
    ...view.view,
    id,
    team_id: team.id,
    state: { values: {} },
    hash,
    previous_view_id: previousId,
    root_view_id: rootId,
    app_id: appId,
    app_installed_team_id: team.id,
    bot_id: team.botId,
  };
}
