import type { IncomingMessage } from "node:http";
import type { Core, Identity } from "../../../app/core.ts";
import { requirePerson } from "../../../app/require-person.ts";
import { Refusal } from "../../../domain/refusal.ts";
import { identifyByHeaders, type RequestHeaders } from "../identify-request.ts";

/** What each of them showed when it came. */
const shown = new WeakMap<Identity, RequestHeaders>();

/** A person who may look, by the same rule as for every request. */
export async function identifyWatcher(
  core: Core,
  { headers: { authorization, cookie } }: Pick<IncomingMessage, "headers">,
): Promise<Identity> {
  const headers = { authorization, cookie };
  const identity = await identifyByHeaders(core, headers);
  requirePerson(identity, "viewer");
  shown.set(identity, headers);
  return identity;
}

/** What they showed is still worth the same: the token, the cookie, their place in the configuration. */
export async function mayStillWatch(core: Core, identity: Identity): Promise<boolean> {
  const headers = shown.get(identity);
  if (!headers) return false;
  try {
    const person = requirePerson(await identifyByHeaders(core, headers), "viewer");
    const before = requirePerson(identity, "viewer");
    return person.id === before.id && person.role === before.role;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
