import type { Context, Hono } from "hono";
import type { Core } from "../../app/core.ts";
import type { AnyRoute } from "./define-route.ts";
import { explainError, type ExplainError } from "./explain-error.ts";
import { createIdempotency, type Idempotency } from "./idempotency.ts";
import { problem } from "./problem.ts";
import { readBody } from "./read-body.ts";

export function serveRoutes(app: Hono, core: Core, routes: readonly AnyRoute[]): void {
  const door = { core, explain: explainError(core.log), idempotency: createIdempotency() };
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ":$1");
    app.on(route.method.toUpperCase(), path, (context) => serve(context, door, route));
  }
}

type Door = {
  readonly core: Core;
  readonly explain: ExplainError;
  readonly idempotency: Idempotency;
};

async function serve(context: Context, door: Door, route: AnyRoute): Promise<Response> {
  try {
    if (route.method === "get") return await answer(context, door, route, undefined);
    const body = await readBody(context.req.raw);
    const key = route.method === "post" ? context.req.header("idempotency-key") : undefined;
    if (key === undefined) return await answer(context, door, route, body);
    const request = `${context.req.path}\n${JSON.stringify(body ?? null)}`;
    return await door.idempotency.once(key, request, () => answer(context, door, route, body));
  } catch (error) {
    return toProblem(door, error);
  }
}

async function answer(
  context: Context,
  door: Door,
  route: AnyRoute,
  body: unknown,
): Promise<Response> {
  try {
    const input = { params: context.req.param(), query: context.req.query(), body };
    return Response.json(await route.handle(door.core, input), { status: route.status ?? 200 });
  } catch (error) {
    return toProblem(door, error);
  }
}

function toProblem({ explain }: Door, error: unknown): Response {
  const { status, code, message, hint } = explain(error);
  return problem(status, code, message, hint);
}
