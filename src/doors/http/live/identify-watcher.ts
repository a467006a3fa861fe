import type { IncomingMessage } from "node:http";
import type { Core, Identity } from "../../../app/core.ts";
import { requirePerson } from "../../../app/require-person.ts";
import { LOCAL_PERSON } from "../../../domain/person.ts";
import { identifyByHeaders } from "../identify-request.ts";

/** The token each of them had when it came: a new one ends what the old one opened. */
const shown = new WeakMap<Identity, string | undefined>();

/** A person who may look, by the same rule as for every request. */
export async function identifyWatcher(
  core: Core,
  { headers }: Pick<IncomingMessage, "headers">,
): Promise<Identity> {
  const { authorization, cookie } = headers;
  const identity = await identifyByHeaders(core, { authorization, cookie });
  const person = requirePerson(identity, "viewer");
  shown.set(identity, core.people.tokenHashOf(person.id));
  return identity;
}

/** Somebody else's configuration, or none: then they have to show again who they are. */
export function mayStillWatch({ people }: Core, identity: Identity): boolean {
  const person = identity.kind === "main" ? identity.person : undefined;
  if (!people.isEnabled) return person?.id === LOCAL_PERSON.id;
  if (!person || people.find(person.id)?.role !== person.role) return false;
  return people.tokenHashOf(person.id) === shown.get(identity);
}
