import type { MiddlewareHandler } from "hono";
import type { Core } from "../../app/core.ts";
import { requirePerson } from "../../app/require-person.ts";
import { Refusal } from "../../domain/refusal.ts";
import { explainError } from "./explain-error.ts";
import type { IdentifyRequest } from "./identify-request.ts";
import { problem } from "./problem.ts";

/** Requires a known person for everything behind it, so that no route can forget to. */
export function signedIn(core: Core, identify: IdentifyRequest): MiddlewareHandler {
  const explain = explainError(core.log);
  return async (context, next) => {
    try {
      requirePerson(await identify(context.req.raw), "viewer");
    } catch (error) {
      const { status, code, message, hint } = explain(error);
      return problem(status, code, message, hint);
    }
    return next();
  };
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
