import type { Core } from "../../../app/core.ts";
import type { Config } from "../../../contract/config/schema.ts";
import { LOCAL_PERSON, type Person } from "../../../domain/people/person.ts";
import { slackGroupIds, slackPersonId } from "../../../domain/people/slack-ids.ts";
import { createRoster, type Roster, type RosterOptions, type SlackUser } from "./roster.ts";

export type Sender = {
  readonly team: string;
  readonly user: string;
  readonly userTeam: string;
};

/** Why a Slack user may not act. */
export type Stranger = "notLinked" | "guest" | "otherWorkspace" | "bot";

export type FoundSender = {
  /** null: Slack does not know the user. */
  readonly user: SlackUser | null;
} & ({ readonly person: Person } | { readonly stranger: Stranger });

export type SlackPeople = {
  /** Rejects if Slack cannot be asked about the user. */
  find(sender: Sender): Promise<FoundSender>;
  /** Whether the user is a full member of the workspace, with or without a person. */
  isMember(sender: Sender): Promise<boolean>;
  /** The Slack user that the configuration maps to this person. */
  mappedUser(team: string, personId: string): string | undefined;
  readonly roster: Roster;
};

type PeopleSettings = Config["slack"]["people"];
type GroupEntry = Extract<PeopleSettings[number], { readonly usergroup: string }>;

export type SlackPeopleOptions = Pick<RosterOptions, "api"> & {
  readonly core: Pick<Core, "people" | "store" | "clock" | "log">;
  readonly settings: () => PeopleSettings;
  /** The workspace of entries that name none; undefined if it is not clear. */
  readonly homeTeam: () => Promise<string | undefined>;
};

/** Finds the person behind a Slack user. Everybody who is not mapped or linked is refused. */
export function createSlackPeople(options: SlackPeopleOptions): SlackPeople {
  const { api, core } = options;
  const roster = createRoster({ api, clock: core.clock, log: core.log });

  async function entriesFor(team: string): Promise<PeopleSettings> {
    const home = await options.homeTeam();
    return options.settings().filter((each) => (each.team ?? home) === team);
  }

  async function findPerson({ team, user }: Sender, entries: PeopleSettings, { name }: SlackUser) {
    const mapped = entries.find((each) => "user" in each && each.user === user);
    if (mapped && "user" in mapped) return personOf(core, mapped.person);
    if (!core.people.isEnabled) return undefined;
    const link = await core.store.getSlackLink(team, user);
    if (link) return core.people.find(link.personId);
    const entry = await firstGroup(team, user, entries);
    return entry && { id: slackPersonId(team, user), name: name || user, role: entry.role };
  }

  /** An operator's group counts before a viewer's. */
  async function firstGroup(
    team: string,
    user: string,
    entries: PeopleSettings,
  ): Promise<GroupEntry | undefined> {
    const groups = entries.filter((each) => "usergroup" in each);
    const sorted = groups.toSorted((a, b) => a.role.localeCompare(b.role));
    for (const entry of sorted) {
      if ((await roster.members(team, entry.usergroup))?.has(user)) return entry;
    }
    return undefined;
  }

  async function groupsOf(team: string, user: string, entries: PeopleSettings) {
    const groups: string[] = [];
    for (const each of entries) {
      if (!("usergroup" in each)) continue;
      const isMember = (await roster.members(team, each.usergroup))?.has(user);
      if (isMember) groups.push(...slackGroupIds(team, each.usergroup));
    }
    return groups;
  }

  return {
    roster,
    async isMember({ team, user, userTeam }) {
      return userTeam === team && (await roster.user(team, user))?.kind === "member";
    },
    mappedUser(team, personId) {
      const entry = options
        .settings()
        .find((each) => "user" in each && each.person === personId && (each.team ?? team) === team);
      return entry && "user" in entry ? entry.user : undefined;
    },
    async find(sender) {
      const { team, user, userTeam } = sender;
      if (userTeam !== team) {
        return { user: null, stranger: "otherWorkspace" };
      }
      const found = (await roster.user(team, user)) ?? null;
      const stranger = found === null ? "notLinked" : STRANGERS[found.kind];
      if (found === null || stranger) return { user: found, stranger: stranger ?? "notLinked" };
      const entries = await entriesFor(team);
      const person = await findPerson(sender, entries, found);
      if (!person) return { user: found, stranger: "notLinked" };
      const groups = core.people.isEnabled ? await groupsOf(team, user, entries) : [];
      return { user: found, person: { ...person, ...(groups.length > 0 && { groups }) } };
    },
  };
}

const STRANGERS: Readonly<Record<SlackUser["kind"], Stranger | undefined>> = {
  member: undefined,
  guest: "guest",
  bot: "bot",
  deleted: "notLinked",
  stranger: "otherWorkspace",
};

/** Without sign-in the only person is `local`. */
function personOf({ people }: Pick<Core, "people">, id: string): Person | undefined {
  if (people.isEnabled) return people.find(id);
  return id === LOCAL_PERSON.id ? LOCAL_PERSON : undefined;
}
