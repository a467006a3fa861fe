import type { Core } from "../../../app/core.ts";
import { slackUserOf } from "../../../domain/people/slack-ids.ts";
import type { PersonView } from "../text/mention.ts";
import type { SlackPeople } from "./slack-people.ts";

/** A person as messages in this workspace name them: by mention if they are a Slack user there. */
export async function personView(
  { core, people }: { readonly core: Pick<Core, "people" | "store">; readonly people: SlackPeople },
  team: string,
  id: string,
): Promise<PersonView> {
  const own = slackUserOf(id);
  const name = core.people.find(id)?.name ?? own?.user ?? id;
  if (own) return own.team === team ? { name, slackUserId: own.user } : { name };
  const links = await core.store.listSlackLinks(id);
  const slackUserId = people.mappedUser(team, id) ?? links.find((each) => each.team === team)?.user;
  return slackUserId === undefined ? { name } : { name, slackUserId };
}
