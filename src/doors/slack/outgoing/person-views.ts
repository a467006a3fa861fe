import type { Core } from "../../../app/core.ts";
import type { SlackThread } from "../../../app/ports/slack-store.ts";
import type { Config } from "../../../contract/config/schema.ts";
import { slackUserOf } from "../../../domain/people/slack-ids.ts";
import type { PersonView } from "../text/mention.ts";

type People = Config["slack"]["people"];

export type PersonViews = {
  readonly core: Pick<Core, "people" | "store">;
  readonly people: () => People;
};

const AGENT = "agent:";

/**
 * How the cards of one workspace name people: a mention if exactly one Slack user there is the
 * person, else the name.
 */
export async function viewPeople(
  { core, people }: PersonViews,
  { team, user }: Pick<SlackThread, "team" | "user">,
  requester: string,
  ids: readonly string[],
): Promise<(id: string | null) => PersonView> {
  const views = new Map<string, PersonView>();
  for (const id of ids) {
    const users = id === requester ? [user] : await usersOf(core, people(), team, id);
    const [only] = users;
    const name = nameOf(core, id);
    views.set(
      id,
      only !== undefined && users.length === 1 ? { name, slackUserId: only } : { name },
    );
  }
  return (id) => (id === null ? { name: "" } : (views.get(id) ?? { name: nameOf(core, id) }));
}

/** The Slack users of this workspace who are the person. */
export async function usersOf(
  { store }: Pick<Core, "store">,
  people: People,
  team: string,
  personId: string,
): Promise<readonly string[]> {
  const own = slackUserOf(personId);
  if (own) return own.team === team ? [own.user] : [];
  const mapped = people.flatMap((each) =>
    "user" in each && each.person === personId && (each.team ?? team) === team ? [each.user] : [],
  );
  const links = await store.listSlackLinks(personId);
  const linked = links.flatMap((link) => (link.team === team ? [link.user] : []));
  return [...new Set([...mapped, ...linked])];
}

function nameOf({ people }: Pick<Core, "people">, id: string): string {
  if (id.startsWith(AGENT)) return id.slice(AGENT.length);
  return people.find(id)?.name ?? slackUserOf(id)?.user ?? id;
}
