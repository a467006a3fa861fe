import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Core, Identity } from "../../app/core.ts";
import { identifyPerson } from "../../app/people/identify-person.ts";
import { KEYS_HEADER, SESSION_HEADER } from "../../contract/http-headers.ts";
import { isStoreRefusal, Refusal } from "../../domain/refusal.ts";
import type { Owner } from "../known-connections.ts";
import { localeOfRequest } from "../locale-of-request.ts";
import { bearerIn, findAgentByToken } from "../mcp/identify.ts";
import { ownerOf } from "../owner-of.ts";
import { createClientAddress } from "./client-address.ts";
import { socketOf } from "./connection-of.ts";
import { createSessionCookie, type SessionCookie } from "./session-cookie.ts";
import { createWrongTokens, type WrongTokens } from "./wrong-tokens.ts";

/** The credentials in the headers of a request. */
export type Credentials = {
  readonly token: string | undefined;
  readonly cookies: readonly string[];
  readonly sessionKey: string | undefined;
};

export type ShownHeaders = {
  readonly authorization: string | null | undefined;
  readonly cookie: string | null | undefined;
  readonly sessionKey: string | null | undefined;
};

export type Authenticator = {
  readonly cookie: SessionCookie;
  readonly wrongTokens: WrongTokens;
  credentialsIn(headers: ShownHeaders): Credentials;
  /** Rejects with a refusal. A wrong token is audited and counts for the rate limit of the address. */
  identify(credentials: Credentials, sender: Sender): Promise<Identity>;
  /** The address of the client, also behind a trusted proxy. */
  addressOf(request: Request): string;
  /** The same for a request that is to become a WebSocket. */
  addressIn(request: Pick<IncomingMessage, "headers" | "socket">): string;
  identifyRequest: IdentifyRequest;
};
export type Sender = {
  readonly socket: Socket | undefined;
  /** The header X-Forwarded-For. */
  readonly forwardedFor: string | null | undefined;
};
export type IdentifyRequest = (request: Request) => Promise<Identity>;

export type AuthenticatorOptions = {
  readonly core: Core;
  /** Unique among the daemons of one host. */
  readonly instance: string;
  /** Addresses and ranges; X-Forwarded-For is believed only from them. */
  readonly trustedProxies?: readonly string[];
  /** Called when the sender of a connection is identified. */
  readonly onKnown?: (socket: Socket, owner: Owner) => void;
};

export function createAuthenticator({
  core,
  instance,
  trustedProxies = [],
  onKnown = () => {},
}: AuthenticatorOptions): Authenticator {
  const cookie = createSessionCookie(instance);
  const wrongTokens = createWrongTokens(core);
  const clientAddress = createClientAddress(trustedProxies);
  /** Cache: several handlers identify the same request. */
  const known = new WeakMap<Request, Promise<Identity>>();

  const authenticator: Authenticator = {
    cookie,
    wrongTokens,
    credentialsIn: (headers) => ({
      token: bearerIn(headers.authorization),
      cookies: cookie.valuesIn(headers.cookie),
      sessionKey: headers.sessionKey || undefined,
    }),
    addressOf(request) {
      const { socket, forwardedFor } = senderOf(request);
      return clientAddress(socket?.remoteAddress, forwardedFor);
    },
    addressIn: ({ headers, socket }) =>
      clientAddress(socket.remoteAddress, String(headers["x-forwarded-for"] ?? "") || undefined),
    async identify(credentials, { socket, forwardedFor }) {
      try {
        const identity = await identifyByCredentials(core, credentials);
        if (socket) onKnown(socket, ownerOf(identity));
        return identity;
      } catch (error) {
        const address = clientAddress(socket?.remoteAddress, forwardedFor);
        const isWrongToken = credentials.token !== undefined && !isStoreRefusal(error);
        throw isWrongToken && error instanceof Refusal
          ? await wrongTokens.refuse({ address, at: "request" }, error)
          : error;
      }
    },
    identifyRequest(request) {
      const found = known.get(request);
      if (found) return found;
      const identity = authenticator
        .identify(
          authenticator.credentialsIn({
            authorization: request.headers.get("authorization"),
            cookie: request.headers.get("cookie"),
            sessionKey: request.headers.get(SESSION_HEADER),
          }),
          senderOf(request),
        )
        .then((sender) => withLentKeys(core, sender, request.headers.get(KEYS_HEADER)))
        .then((sender) => inLanguageOf(core, sender, request.headers));
      known.set(request, identity);
      return identity;
    },
  };
  return authenticator;
}

function senderOf(request: Request): Sender {
  return { socket: socketOf(request), forwardedFor: request.headers.get("x-forwarded-for") };
}

/**
 * A person by token or sign-in, or the local person if sign-in is off. The token of a live agent
 * identifies that agent; any other token is refused.
 */
export async function identifyByCredentials(
  core: Core,
  { token, cookies, sessionKey }: Credentials,
): Promise<Identity> {
  const agent = token === undefined ? undefined : await findAgentByToken(core, token);
  if (agent) return agent;
  const person = await identifyPerson(core, { token, cookies, sessionKey });
  return { kind: "person", person };
}

function inLanguageOf({ settings }: Core, identity: Identity, headers: Headers): Identity {
  if (identity.kind === "agent") return identity;
  return { ...identity, locale: localeOfRequest(settings, headers) };
}

function withLentKeys(core: Core, identity: Identity, ticket: string | null): Identity {
  const keys = ticket === null ? undefined : core.clientKeys.lentBy(ticket);
  return keys && identity.kind === "person" ? { ...identity, keys } : identity;
}
