import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { Core, Identity } from "../../app/core.ts";
import { auditRefusals } from "../../app/people/audit-refusals.ts";
import { requirePerson } from "../../app/people/require-person.ts";
import { Refusal } from "../../domain/refusal.ts";
import { localeOfRequest } from "../locale-of-request.ts";
import { explainError } from "./explain-error.ts";
import type { IdentifyRequest } from "./identify-request.ts";
import { problem } from "./problem.ts";

/** Middleware that requires a known person, so that no route can forget the check. */
export function signedIn(core: Core, identify: IdentifyRequest): MiddlewareHandler {
  const explain = explainError(core);
  return async (context, next) => {
    try {
      await requireViewer(core, await identify(context.req.raw), context);
    } catch (error) {
      const { status, code, message, hint } = explain(
        error,
        localeOfRequest(core.settings, context.req.raw.headers),
      );
      return problem(status, code, message, hint);
    }
    return next();
  };
}

/** Attempts of agents to change something are audited, as over MCP. */
async function requireViewer(core: Core, identity: Identity, context: Context): Promise<void> {
  const ask = async () => void requirePerson(identity, "viewer");
  const ids = triedIds(context);
  if (context.req.method === "GET" || ids === undefined) return ask();
  const subject = context.req.path;
  await auditRefusals(core, { identity, subject, ids, action: "request.refused", data: {} }, ask);
}

/** The path parameters; undefined if no route matches. */
function triedIds(context: Context): readonly string[] | undefined {
  const { method, path } = context.req;
  const route = matchedRoutes(context).find(
    (matched) => matched.method === method && !matched.path.includes("*"),
  );
  const isParameter = route?.path.split("/").map((part) => part.startsWith(":"));
  return isParameter && path.split("/").filter((_, at) => isParameter[at]);
}

export async function isPerson(identify: IdentifyRequest, request: Request): Promise<boolean> {
  try {
    requirePerson(await identify(request), "viewer");
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
