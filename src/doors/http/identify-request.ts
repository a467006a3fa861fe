import type { Core, Identity } from "../../app/core.ts";
import { identifyPerson } from "../../app/identify-person.ts";
import { bearerIn, findAgentByToken } from "../mcp/identify.ts";

export const COOKIE_NAME = "kuromajutsu";

export type RequestHeaders = {
  readonly authorization: string | null | undefined;
  readonly cookie: string | null | undefined;
};

/**
 * Who sends this: a person by token or cookie, and without sign-in the one person there is. An
 * agent that shows its own token is that agent, here as everywhere.
 */
export async function identifyByHeaders(core: Core, headers: RequestHeaders): Promise<Identity> {
  const token = bearerIn(headers.authorization);
  const agent = token === undefined ? undefined : await findAgentByToken(core, token);
  if (agent) return agent;
  const person = await identifyPerson(core, { token, cookie: cookieIn(headers.cookie) });
  return { kind: "main", cwd: null, keys: {}, person };
}

/** The door and its routes ask of the same request: one look is enough. */
const known = new WeakMap<Request, Promise<Identity>>();

export function identifyRequest(core: Core, request: Request): Promise<Identity> {
  const found = known.get(request);
  if (found) return found;
  const { headers } = request;
  const identity = identifyByHeaders(core, {
    authorization: headers.get("authorization"),
    cookie: headers.get("cookie"),
  });
  known.set(request, identity);
  return identity;
}

export function cookieIn(header: string | null | undefined): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const [name, value] = pair.split("=", 2);
    if (name?.trim() === COOKIE_NAME && value) return value.trim();
  }
  return undefined;
}
