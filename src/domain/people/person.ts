export const PERSON_ROLES = ["viewer", "operator", "admin"] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

/** A human who watches, decides and steers; never an agent. */
export type Person = {
  readonly id: string;
  readonly name: string;
  readonly role: PersonRole;
  /** Slack user groups of the person, as approval rules name them: `S0123ABCD@slack`. */
  readonly groups?: readonly string[];
};

/** Without sign-in every request over loopback comes from this person. */
export const LOCAL_PERSON: Person = { id: "local", name: "local", role: "admin" };

/** Each role includes the rights of the roles before it. */
export function mayActAs(person: Pick<Person, "role">, needed: PersonRole): boolean {
  return PERSON_ROLES.indexOf(person.role) >= PERSON_ROLES.indexOf(needed);
}
