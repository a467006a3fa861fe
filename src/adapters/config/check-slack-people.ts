import { fieldsOf, textOf } from "../../base/narrow.ts";
import { inEach, type Texts } from "../../domain/locale.ts";
import { usersOf, whyUnknown } from "./check-people.ts";
import type { SettingProblem } from "./explain-issue.ts";

/** An entry of `slack.people` must name a person who exists, and each Slack user only once. */
export function checkSlackPeople(value: unknown): readonly SettingProblem[] {
  const people: unknown = fieldsOf(fieldsOf(value)["slack"])["people"];
  const entries = (Array.isArray(people) ? people : []).map((entry: unknown) => fieldsOf(entry));
  const users = usersOf(value);
  const keys = entries.map(slackUserIn);
  return entries.flatMap((entry, index) => {
    const person = textOf(entry["person"]);
    const unknown = person === undefined ? undefined : whyUnknown(person, users);
    const first = keys.indexOf(keys[index]);
    return [
      ...(unknown === undefined ? [] : [unknownPerson(index, unknown)]),
      ...(keys[index] === undefined || first === index ? [] : [sameUser(index, first)]),
    ];
  });
}

function unknownPerson(index: number, why: Texts): SettingProblem {
  const path = ["slack", "people", index, "person"];
  const text = inEach((locale) => `slack.people[${index}].person: ${why[locale]}`);
  return { path, text, about: "people" };
}

function sameUser(index: number, first: number): SettingProblem {
  const text = {
    en: `slack.people[${index}]: is the same user or group as slack.people[${first}]; remove one`,
    ja: `slack.people[${index}]: slack.people[${first}] と同じユーザーかグループです。片方を消してください。`,
  };
  return { path: ["slack", "people", index], text };
}

/** The user or group of the entry, with its workspace. */
function slackUserIn(entry: Readonly<Record<string, unknown>>): string | undefined {
  const id = textOf(entry["user"]) ?? textOf(entry["usergroup"]);
  return id === undefined ? undefined : `${textOf(entry["team"]) ?? ""} ${id}`;
}
