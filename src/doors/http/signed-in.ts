import type { MiddlewareHandler } from "hono";
import type { Core } from "../../app/core.ts";
import { requirePerson } from "../../app/require-person.ts";
import { Refusal } from "../../domain/refusal.ts";
import { explainError } from "./explain-error.ts";
import { identifyRequest } from "./identify-request.ts";
import { problem } from "./problem.ts";

/** Whatever lies behind it is for people who are known: nothing has to remember to ask. */
export function signedIn(core: Core): MiddlewareHandler {
  const explain = explainError(core.log);
  return async (context, next) => {
    try {
      requirePerson(await identifyRequest(core, context.req.raw), "viewer");
    } catch (error) {
      const { status, code, message, hint } = explain(error);
      return problem(status, code, message, hint);
    }
    return next();
  };
}

export async function isPerson(core: Core, request: Request): Promise<boolean> {
  try {
    requirePerson(await identifyRequest(core, request), "viewer");
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
