import { isRecord } from "../../base/narrow.ts";
import { inEach, type Texts } from "../../domain/locale.ts";
import { PERSON_ROLES, type PersonRole } from "../../domain/people/person.ts";
import { SLACK_SUFFIX, slackGroupIds } from "../../domain/people/slack-ids.ts";
import { didYouMean, THERE_ARE, type SettingProblem } from "./explain-issue.ts";
import type { SettingPath } from "./parse-config-text.ts";

const ADD: Texts = {
  en: "add people with `kuromajutsu user add <id>`",
  ja: "`kuromajutsu user add <id>` で人を加えてください。",
};

export type User = { readonly id: string; readonly role: PersonRole; readonly tokenHash: unknown };

/**
 * Approval policies must name people who can decide, and enough of them. Works on the raw data, as
 * the other checks do; values that the schema refuses are ignored here.
 */
export function checkPeople(value: unknown): readonly SettingProblem[] {
  const users = usersOf(value);
  const policies = policiesOf(value);
  // Without sign-in the members of a user group cannot act.
  const slackIds = users.length === 0 ? new Set<string>() : slackIdsOf(value);
  return [
    ...doubleTokens(users),
    ...slackNames(users),
    ...policies.flatMap(({ path, policy }) =>
      problemsOf(policy, users, slackIds).map((text) => ({
        path,
        text: inEach((locale) => `${path.join(".")}: ${text[locale]}`),
        about: "people" as const,
      })),
    ),
  ];
}

export function usersOf(value: unknown): readonly User[] {
  const auth = isRecord(value) ? value["auth"] : undefined;
  const users: unknown = isRecord(auth) ? auth["users"] : undefined;
  return (Array.isArray(users) ? users : []).map((user: unknown) => ({
    id: isRecord(user) && typeof user["id"] === "string" ? user["id"] : "",
    role: PERSON_ROLES.find((role) => isRecord(user) && user["role"] === role) ?? "operator",
    tokenHash: isRecord(user) ? user["tokenHash"] : undefined,
  }));
}

/** With the same token for two people, a request could not be assigned to one of them. */
function doubleTokens(users: readonly User[]): readonly SettingProblem[] {
  return users.flatMap(({ tokenHash }, index) => {
    const first = users.findIndex((user) => user.tokenHash === tokenHash);
    if (typeof tokenHash !== "string" || first === index) return [];
    const text = {
      en: `auth.users[${index}].tokenHash: is also that of auth.users[${first}]; everyone has a token of their own: \`kuromajutsu user token <id>\` makes one`,
      ja: `auth.users[${index}].tokenHash: auth.users[${first}] と同じです。トークンは 1 人に 1 つです。\`kuromajutsu user token <id>\` で作れます。`,
    };
    return [{ path: ["auth", "users", index, "tokenHash"], text }];
  });
}

/** These ids are of people who exist only in Slack. */
function slackNames(users: readonly User[]): readonly SettingProblem[] {
  return users.flatMap(({ id }, index) => {
    if (!id.endsWith(SLACK_SUFFIX)) return [];
    const text = {
      en: `auth.users[${index}].id: ids that end in ${SLACK_SUFFIX} are for people in Slack; choose another id`,
      ja: `auth.users[${index}].id: ${SLACK_SUFFIX} で終わる ID は Slack の人のものです。別の ID にしてください。`,
    };
    return [{ path: ["auth", "users", index, "id"], text }];
  });
}

/** Ids with which approval rules name the user groups of `slack.people`. */
function slackIdsOf(value: unknown): ReadonlySet<string> {
  const slack = isRecord(value) ? value["slack"] : undefined;
  const entries: unknown = isRecord(slack) ? slack["people"] : undefined;
  const ids = (Array.isArray(entries) ? entries : []).flatMap((entry: unknown) => {
    if (!isRecord(entry) || typeof entry["usergroup"] !== "string") return [];
    const { team, usergroup } = entry;
    return typeof team === "string"
      ? slackGroupIds(team, usergroup)
      : [`${usergroup}${SLACK_SUFFIX}`];
  });
  return new Set(ids);
}

function policiesOf(value: unknown): readonly { path: SettingPath; policy: unknown }[] {
  const tasks = isRecord(value) ? value["tasks"] : undefined;
  if (!isRecord(tasks)) return [];
  const byKind = isRecord(tasks["approvals"]) ? Object.entries(tasks["approvals"]) : [];
  return [
    { path: ["tasks", "approval"], policy: tasks["approval"] },
    ...byKind.map(([kind, policy]) => ({ path: ["tasks", "approvals", kind], policy })),
  ];
}

const NOT_REQUESTER: Texts = { en: "`not-requester`", ja: "`not-requester`" };

function problemsOf(
  policy: unknown,
  users: readonly User[],
  slackIds: ReadonlySet<string>,
): readonly Texts[] {
  const deciders = users.filter(({ role }) => role !== "viewer").map(({ id }) => id);
  if (policy === "not-requester") return tooFew(NOT_REQUESTER, 2, deciders);
  if (!isRecord(policy)) return [];
  const named = namesIn(policy["approvers"]);
  const people = [...(named ?? [])].filter((id) => !slackIds.has(id));
  const unknown = people.flatMap((id) => whyNotDecider(id, users));
  // How many members a user group has is not known here.
  if (people.length < (named?.size ?? 0)) return unknown;
  if (unknown.length > 0 || typeof policy["quorum"] !== "number") return unknown;
  const possible = named === undefined ? deciders : [...named];
  const { quorum } = policy;
  const what = { en: `a quorum of ${quorum}`, ja: `定足数 ${quorum}` };
  return tooFew(what, quorum, possible);
}

function namesIn(approvers: unknown): ReadonlySet<string> | undefined {
  if (!Array.isArray(approvers)) return undefined;
  return new Set(approvers.filter((id: unknown) => typeof id === "string"));
}

/** Without sign-in the only person is `local`. */
export function whyUnknown(id: string, users: readonly User[]): Texts | undefined {
  if (users.length === 0) {
    if (id === "local") return undefined;
    return {
      en: `names "${id}", but nobody can sign in (auth.users is empty); ${ADD.en}`,
      ja: `「${id}」とありますが、サインインできる人がいません（auth.users が空です）。${ADD.ja}`,
    };
  }
  const known = users.map((user) => user.id);
  if (known.includes(id)) return undefined;
  const similar = didYouMean(id, known, THERE_ARE);
  return {
    en: `nobody in auth.users has the id "${id}"; ${similar.en}, or ${ADD.en}`,
    ja: `auth.users に ID「${id}」の人はいません。${similar.ja} または、${ADD.ja}`,
  };
}

function whyNotDecider(id: string, users: readonly User[]): readonly Texts[] {
  const unknown = whyUnknown(id, users);
  if (unknown !== undefined) return [unknown];
  return users.some((user) => user.id === id && user.role === "viewer")
    ? [
        {
          en: `"${id}" is a viewer and cannot decide; give them the role operator`,
          ja: `「${id}」は viewer なので判断できません。role を operator にしてください。`,
        },
      ]
    : [];
}

function tooFew(what: Texts, needed: number, people: readonly string[]): readonly Texts[] {
  const count = new Set(people).size;
  if (count >= needed) return [];
  const have =
    count === 0 ? "there is nobody" : count === 1 ? "there is one" : `there are ${count}`;
  return [
    {
      en: `${what.en} needs ${needed} people who can sign in and decide; ${have}; ${ADD.en}`,
      ja: `${what.ja} には、サインインして判断できる人が ${needed} 人必要です。今は ${count} 人です。${ADD.ja}`,
    },
  ];
}
