export const PERSON_ROLES = ["viewer", "operator", "admin"] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

/** Somebody who looks, decides and steers; never an agent. */
export type Person = {
  readonly id: string;
  readonly name: string;
  readonly role: PersonRole;
};

/** Without sign-in everyone on loopback is this one person. */
export const LOCAL_PERSON: Person = { id: "local", name: "local", role: "admin" };

/** Each role may do what the ones before it may. */
export function mayActAs(person: Pick<Person, "role">, needed: PersonRole): boolean {
  return PERSON_ROLES.indexOf(person.role) >= PERSON_ROLES.indexOf(needed);
}
