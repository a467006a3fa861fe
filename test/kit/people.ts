import { createPeople } from "../../src/adapters/people.ts";
import { systemTokens } from "../../src/adapters/world.ts";
import type { Config } from "../../src/contract/config/schema.ts";
import type { PersonRole } from "../../src/domain/people/person.ts";
import { aCore, type ACore, type TestCore } from "./core.ts";

export const tokenOf = (id: string): string => `kmj_token-of-${id}`;

export type PeopleCore = TestCore & {
  /** Replaces the people, as an edit of the configuration does. */
  setPeople(people: Readonly<Record<string, PersonRole>>): void;
};

/** A core with these people; without any, sign-in is off. */
export async function aCoreWithPeople(
  people: Readonly<Record<string, PersonRole>>,
  over: ACore = {},
): Promise<PeopleCore> {
  let users = usersOf(people);
  return {
    ...(await aCore(over)),
    people: createPeople(() => users),
    setPeople: (next) => void (users = usersOf(next)),
  };
}

function usersOf(people: Readonly<Record<string, PersonRole>>): Config["auth"]["users"] {
  return Object.entries(people).map(([id, role]) => ({
    id,
    role,
    tokenHash: systemTokens.hash(tokenOf(id)),
  }));
}
