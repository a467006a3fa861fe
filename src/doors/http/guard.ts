import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import type { MiddlewareHandler } from "hono";
import { problem } from "./problem.ts";

/**
 * Only this machine's own names are answered: a page of another site that had its name point
 * here (DNS rebinding), or that posts here, is refused before anything is read.
 */
export function guard(allowedHostnames: readonly string[]): MiddlewareHandler {
  return async (context, next) => {
    const why = whyForbidden(allowedHostnames, {
      host: context.req.header("host"),
      origin: context.req.header("origin"),
    });
    return why === undefined ? next() : problem(403, "NOT_ALLOWED", why);
  };
}

/** One rule for requests and for WebSocket upgrades; undefined when they may come in. */
export function whyForbidden(
  allowedHostnames: readonly string[],
  { host, origin }: { readonly host: string | undefined; readonly origin: string | undefined },
): string | undefined {
  const names = [...allowedHostnames];
  if (!validateHostHeader(host, names).ok) return `Host ${host ?? "(none)"} is not served here.`;
  if (!validateOriginHeader(origin, names).ok)
    return `Origin ${origin ?? "(none)"} is not allowed.`;
  return undefined;
}
