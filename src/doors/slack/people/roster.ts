import type { Clock, Log } from "../../../app/ports/world.ts";
import { fieldsOf, textOf, type Fields } from "../../../base/narrow.ts";
import type { Locale } from "../../../domain/locale.ts";
import { SlackCallFailed, type SlackApi } from "../slack-api.ts";

/** What Slack says about a user. */
export type SlackUser = {
  readonly name: string;
  /** null: a language that we do not have. */
  readonly locale: Locale | null;
  readonly kind: "member" | "guest" | "bot" | "deleted" | "stranger";
};

export type Roster = {
  /** Undefined: Slack does not know the user. Rejects if Slack cannot be asked. */
  user(team: string, id: string): Promise<SlackUser | undefined>;
  /** The members of a user group; undefined if they cannot be read. */
  members(team: string, group: string): Promise<ReadonlySet<string> | undefined>;
  forgetGroup(team: string, group: string): void;
};

const KEEP_MS = 5 * 60_000;
const MAX_ENTRIES = 10_000;

export type RosterOptions = {
  readonly api: SlackApi;
  readonly clock: Clock;
  readonly log: Log;
};

/** Users and user groups, cached for five minutes. */
export function createRoster({ api, clock, log }: RosterOptions): Roster {
  const users = createCache<SlackUser | undefined>(clock);
  const groups = createCache<ReadonlySet<string>>(clock);

  async function readUser(team: string, id: string): Promise<SlackUser | undefined> {
    try {
      const args = { user: id, include_locale: true };
      const answer = await api.call({ team, method: "users.info", args, isUrgent: true });
      return describeUser(team, fieldsOf(answer["user"]));
    } catch (error) {
      if (error instanceof SlackCallFailed && error.code === "user_not_found") return undefined;
      throw error;
    }
  }

  async function readGroup(team: string, group: string): Promise<ReadonlySet<string>> {
    const args = { usergroup: group };
    const answer = await api.call({ team, method: "usergroups.users.list", args, isUrgent: true });
    const { users: found } = answer;
    if (!Array.isArray(found)) throw new Error("The answer has no list of users.");
    return new Set(found.filter((each: unknown) => typeof each === "string"));
  }

  return {
    async user(team, id) {
      try {
        return await users.get(`${team}:${id}`, () => readUser(team, id));
      } catch (error) {
        if (!(error instanceof SlackCallFailed) || error.failure !== "refused") throw error;
        log.warn("Slack does not say who a user is; the user is refused.", { error: error.code });
        return undefined;
      }
    },
    async members(team, group) {
      try {
        return await groups.get(`${team}:${group}`, () => readGroup(team, group));
      } catch (error) {
        log.warn("A Slack user group cannot be read; its members are refused.", {
          group,
          error: String(error),
        });
        return undefined;
      }
    },
    forgetGroup: (team, group) => groups.forget(`${team}:${group}`),
  };
}

function describeUser(team: string, user: Fields): SlackUser {
  const profile = fieldsOf(user["profile"]);
  const names = [profile["display_name"], profile["real_name"], user["real_name"], user["name"]];
  return {
    name: names.map(textOf).find((name) => name) ?? "",
    locale: localeOf(textOf(user["locale"])),
    kind: kindOf(team, user),
  };
}

function kindOf(team: string, user: Fields): SlackUser["kind"] {
  if (user["deleted"] === true) return "deleted";
  if (user["is_bot"] === true || user["id"] === "USLACKBOT") return "bot";
  const home = textOf(user["team_id"]) ?? "";
  // A user of an organization may have its id, and is in several of its workspaces.
  const { teams } = fieldsOf(user["enterprise_user"]);
  const isInTeam = Array.isArray(teams) && teams.includes(team);
  const isForeign = home !== "" && home !== team && !isInTeam;
  if (user["is_stranger"] === true || isForeign) return "stranger";
  const isGuest = user["is_restricted"] === true || user["is_ultra_restricted"] === true;
  return isGuest ? "guest" : "member";
}

function localeOf(locale: string | undefined): Locale | null {
  if (locale?.startsWith("ja")) return "ja";
  return locale?.startsWith("en") ? "en" : null;
}

/** Concurrent callers share one request; failures are not kept. */
function createCache<Value>(clock: Clock) {
  const entries = new Map<string, { readonly at: number; readonly value: Promise<Value> }>();
  return {
    get(key: string, read: () => Promise<Value>): Promise<Value> {
      const found = entries.get(key);
      if (found && clock.now() - found.at < KEEP_MS) return found.value;
      const value = read();
      entries.delete(key);
      entries.set(key, { at: clock.now(), value });
      value.catch(() => {
        if (entries.get(key)?.value === value) entries.delete(key);
      });
      if (entries.size > MAX_ENTRIES) entries.delete(entries.keys().next().value ?? "");
      return value;
    },
    forget: (key: string) => void entries.delete(key),
  };
}
