import type { Context, Hono } from "hono";
import type { Core, Identity } from "../../app/core.ts";
import { auditRefusals } from "../../app/people/audit-refusals.ts";
import { actorOf, requirePerson } from "../../app/people/require-person.ts";
import { localeOfRequest } from "../locale-of-request.ts";
import { neededRole, type Route } from "./define-route.ts";
import { explainError, type ExplainError } from "./explain-error.ts";
import { createIdempotency } from "./idempotency.ts";
import type { IdentifyRequest } from "./identify-request.ts";
import { problem } from "./problem.ts";
import { readBody } from "./read-body.ts";

export type RouteContext = { readonly core: Core; readonly identify: IdentifyRequest };

export function serveRoutes(app: Hono, given: RouteContext, routes: readonly Route[]): void {
  const { core } = given;
  const door = {
    ...given,
    explain: explainError(core),
    idempotency: createIdempotency(core),
  };
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ":$1");
    app.on(route.method.toUpperCase(), path, (context) => serve(context, door, route));
  }
}

type Door = RouteContext & {
  readonly explain: ExplainError;
  readonly idempotency: ReturnType<typeof createIdempotency>;
};

async function serve(context: Context, door: Door, route: Route): Promise<Response> {
  try {
    const identity = await door.identify(context.req.raw);
    await admit(door.core, route, identity, context);
    const asked = { context, door, route, identity };
    if (route.method === "get") return await answer({ ...asked, body: undefined });
    const body = await readBody(context.req.raw);
    const key = route.method === "post" ? context.req.header("idempotency-key") : undefined;
    // A dry run changes nothing, and its answer contains the configuration: do not store it.
    const isDry = context.req.query("dryRun") === "true";
    if (key === undefined || isDry || route.isSecret) return await answer({ ...asked, body });
    return await door.idempotency.once({
      key,
      whose: actorOf(identity),
      locale: localeOfRequest(door.core.settings, context.req.raw.headers),
      text: `${context.req.path}?${new URL(context.req.url).searchParams.toString()}\n${JSON.stringify(body ?? null)}`,
      run: (core) => answer({ ...asked, door: { ...door, core }, body }),
    });
  } catch (error) {
    return toProblem(door, error, context);
  }
}

/** Refused attempts of known senders are audited; unknown senders could fill the audit. */
async function admit(
  core: Core,
  route: Route,
  identity: Identity,
  { req }: Context,
): Promise<void> {
  const isKnown = identity.kind !== "client";
  const ask = async () => void requirePerson(identity, neededRole(route));
  if (route.method === "get" || !isKnown) return ask();
  const ids = Object.values(req.param());
  const attempt = { identity, subject: req.path, ids, action: "request.refused", data: {} };
  await auditRefusals(core, attempt, ask);
}

type Asked = {
  readonly context: Context;
  readonly door: Door;
  readonly route: Route;
  readonly identity: Identity;
  readonly body: unknown;
};

async function answer({ context, door, route, identity, body }: Asked): Promise<Response> {
  try {
    const input = { params: context.req.param(), query: context.req.query(), body };
    const answered = await route.handle(door.core, input, identity);
    return Response.json(answered, { status: route.status ?? 200 });
  } catch (error) {
    return toProblem(door, error, context);
  }
}

function toProblem({ core, explain }: Door, error: unknown, { req }: Context): Response {
  const locale = localeOfRequest(core.settings, req.raw.headers);
  const { status, code, message, hint } = explain(error, locale);
  return problem(status, code, message, hint);
}
