import type { IncomingMessage } from "node:http";
import type { Core, Identity } from "../../../app/core.ts";
import { requirePerson } from "../../../app/people/require-person.ts";
import { SESSION_HEADER, SESSION_PROTOCOL_PREFIX } from "../../../contract/http-headers.ts";
import { isStoreRefusal, Refusal } from "../../../domain/refusal.ts";
import {
  identifyByCredentials,
  type Authenticator,
  type Credentials,
} from "../identify-request.ts";

/** The credentials each client connected with. */
const shown = new WeakMap<Identity, Credentials>();

/** A person with the role viewer, by the same rule as for every request. */
export async function identifyWatcher(
  authenticator: Authenticator,
  { headers, socket }: Pick<IncomingMessage, "headers" | "socket">,
): Promise<Identity> {
  const { authorization, cookie } = headers;
  const credentials = authenticator.credentialsIn({
    authorization,
    cookie,
    sessionKey: one(headers[SESSION_HEADER]) ?? offeredKey(headers["sec-websocket-protocol"]),
  });
  const identity = await authenticator.identify(credentials, {
    socket,
    forwardedFor: all(headers["x-forwarded-for"]),
  });
  requirePerson(identity, "viewer");
  shown.set(identity, credentials);
  return identity;
}

function all(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(",") : value;
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function offeredKey(protocols: string | undefined): string | undefined {
  const offered = (protocols ?? "").split(",").map((protocol) => protocol.trim());
  const carrying = offered.find((protocol) => protocol.startsWith(SESSION_PROTOCOL_PREFIX));
  return carrying?.slice(SESSION_PROTOCOL_PREFIX.length);
}

/** The subprotocol to answer with, never the one that contains the key. */
export function chooseProtocol(offered: ReadonlySet<string>): string | false {
  for (const protocol of offered) {
    if (!protocol.startsWith(SESSION_PROTOCOL_PREFIX)) return protocol;
  }
  return false;
}

/** Whether the credentials still identify the same person with the same role. */
export async function mayStillWatch(core: Core, identity: Identity): Promise<boolean> {
  const credentials = shown.get(identity);
  if (!credentials) return false;
  try {
    const person = requirePerson(await identifyByCredentials(core, credentials), "viewer");
    const before = requirePerson(identity, "viewer");
    return person.id === before.id && person.role === before.role;
  } catch (error) {
    // Without the database nothing new is shown either.
    if (isStoreRefusal(error)) return true;
    if (error instanceof Refusal) return false;
    throw error;
  }
}
