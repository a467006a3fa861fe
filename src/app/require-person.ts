import { LOCAL_PERSON, mayActAs, type Person, type PersonRole } from "../domain/person.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Core, Identity } from "./core.ts";

/** A person who is known and may do this; an agent never is one. */
export function requirePerson(identity: Identity, needed: PersonRole): Person {
  const person = identity.kind === "main" ? identity.person : undefined;
  if (!person) {
    throw new Refusal(
      "PERSON_NEEDED",
      "Only a person may do this, and this client has not shown that it acts for one.",
      "Do it in the dashboard or the terminal, or connect with a token from `kuromajutsu user add`.",
    );
  }
  if (mayActAs(person, needed)) return person;
  throw new Refusal(
    "NOT_ALLOWED",
    `${person.name} is ${person.role}; this needs ${needed}.`,
    "Ask an admin to do it, or to change your role in auth.users.",
  );
}

/** In whose name a client asks for work: a person who is known, else the one person there is. */
export function requesterOf(core: Pick<Core, "people">, identity: Identity): string {
  if (identity.kind === "agent") return `agent:${identity.agentId}`;
  if (identity.person) return requirePerson(identity, "operator").id;
  return core.people.isEnabled ? "unknown" : LOCAL_PERSON.id;
}

/** For the audit. */
export function actorOf(identity: Identity): string {
  if (identity.kind === "agent") return `agent:${identity.agentId}`;
  return identity.person?.id ?? "main";
}
