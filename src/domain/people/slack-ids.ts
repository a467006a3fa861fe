/** Ids of people and groups that exist only in Slack. No entry of `auth.users` may end like this. */
export const SLACK_SUFFIX = "@slack";

/** A member of a mapped user group, as a person. */
export function slackPersonId(team: string, user: string): string {
  return `${user}.${team}${SLACK_SUFFIX}`;
}

/** The Slack user behind such an id. */
export function slackUserOf(personId: string): { team: string; user: string } | undefined {
  const [, user, team] = /^([UW][A-Z0-9]+)\.([TE][A-Z0-9]+)@slack$/.exec(personId) ?? [];
  return user === undefined || team === undefined ? undefined : { team, user };
}

/** How approval rules name a user group: with or without the workspace. */
export function slackGroupIds(team: string, group: string): readonly string[] {
  return [`${group}${SLACK_SUFFIX}`, `${group}.${team}${SLACK_SUFFIX}`];
}
