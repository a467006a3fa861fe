import {
  LOCAL_PERSON,
  mayActAs,
  type Person,
  type PersonRole,
} from "../../domain/people/person.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";

/** A person who is known and may do this; an agent never is one. */
export function requirePerson(identity: Identity, needed: PersonRole): Person {
  if (identity.kind !== "person") {
    throw new Refusal(
      "PERSON_NEEDED",
      "Only a person may do this, and this client has not shown that it acts for one.",
      "Do it in the dashboard or the terminal, or connect with a token from `kuromajutsu user add`.",
    );
  }
  const { person } = identity;
  if (mayActAs(person, needed)) return person;
  throw new Refusal(
    "NOT_ALLOWED",
    `${person.name} is ${person.role}; this needs ${needed}.`,
    "Ask an admin to do it, or to change your role in auth.users.",
  );
}

/**
 * The person a client asks for work for. With sign-in that must be a known person: a requester
 * without a name would make `not-requester` policies meaningless. Without sign-in there is only one.
 */
export function requesterOf(core: Pick<Core, "people">, identity: Identity): string {
  if (identity.kind === "agent") return `agent:${identity.agentId}`;
  requireKnownClient(core, identity);
  return identity.kind === "person" ? requirePerson(identity, "operator").id : LOCAL_PERSON.id;
}

/** With sign-in a client (not an agent) changes something only for a person it has a token of. */
export function requireKnownClient(core: Pick<Core, "people">, identity: Identity): void {
  if (!core.people.isEnabled || identity.kind !== "client") return;
  throw new Refusal(
    "PERSON_NEEDED",
    "People sign in here, and this client has not shown which person it acts for.",
    "Set KUROMAJUTSU_TOKEN of `kuromajutsu mcp` to the token that `kuromajutsu user add` printed, and connect again.",
  );
}

/** The actor of an audit entry. Clients are stored as "main". */
export function actorOf(identity: Identity): string {
  switch (identity.kind) {
    case "agent":
      return `agent:${identity.agentId}`;
    case "person":
      return identity.person.id;
    case "client":
      return "main";
  }
}
