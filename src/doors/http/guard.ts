import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import type { MiddlewareHandler } from "hono";
import { problem } from "./problem.ts";

/**
 * Only this machine's own names are answered: a page of another site that had its name point
 * here (DNS rebinding), or that posts here, is refused before anything is read.
 */
export function guard(allowedHostnames: readonly string[]): MiddlewareHandler {
  const names = [...allowedHostnames];
  return async (context, next) => {
    const host = context.req.header("host");
    if (!validateHostHeader(host, names).ok) {
      return problem(403, "NOT_ALLOWED", `Host ${host ?? "(none)"} is not served here.`);
    }
    const origin = context.req.header("origin");
    if (!validateOriginHeader(origin, names).ok) {
      return problem(403, "NOT_ALLOWED", `Origin ${origin ?? "(none)"} is not allowed.`);
    }
    return next();
  };
}
