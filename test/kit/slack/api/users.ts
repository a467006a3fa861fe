import { ApiError, type Method } from "./method.ts";
import { wireUser } from "./wire.ts";

export const userMethods: Readonly<Record<string, Method>> = {
  "auth.test": {
    scopes: [],
    run: ({ team, world }) => ({
      url: `https://${team.domain}.slack.com/`,
      team: team.name,
      user: team.users.get(team.botUserId)?.name,
      team_id: team.id,
      user_id: team.botUserId,
      bot_id: team.botId,
      app_id: world.app.id,
      is_enterprise_install: false,
    }),
  },
  "users.info": {
    scopes: ["users:read"],
    run: ({ team, args }) => {
      const user = team.users.get(args.need("user", "user_not_found"));
      if (!user) throw new ApiError("user_not_found");
      return { user: wireUser(team, user) };
    },
  },
  "usergroups.list": {
    scopes: ["usergroups:read"],
    run: ({ team, args }) => ({
      usergroups: [...team.userGroups.values()].map(({ id, handle, users }) => ({
        id,
        team_id: team.id,
        handle,
        name: handle,
        user_count: users.length,
        date_delete: 0,
        ...(args.flag("include_users") && { users }),
      })),
    }),
  },
  "usergroups.users.list": {
    scopes: ["usergroups:read"],
    run: ({ team, args }) => {
      const group = team.userGroups.get(args.need("usergroup", "no_such_subteam"));
      if (!group) throw new ApiError("no_such_subteam");
      return { users: group.users };
    },
  },
};
