import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context, Hono } from "hono";
import { z } from "zod";
import type { Core } from "../../app/core.ts";
import { signIn, signOut } from "../../app/sign-in.ts";
import { meShape } from "../../contract/settings.ts";
import { LOCAL_PERSON, type Person } from "../../domain/person.ts";
import { Refusal } from "../../domain/refusal.ts";
import { explainError } from "./explain-error.ts";
import { COOKIE_NAME, cookieIn } from "./identify-request.ts";
import { createLoginAttempts, type LoginAttempts } from "./login-attempts.ts";
import type { DescribedRoute } from "./openapi.ts";
import { problem } from "./problem.ts";
import { readBody } from "./read-body.ts";
import { NO_BODY, NO_PARAMS, NO_QUERY } from "./routes/inputs.ts";
import { wireMe } from "./routes/me.ts";

const loginBody = z.strictObject({ token: z.string().trim().min(1).max(1_000) });

/** They set and take away a cookie, which no other route does. */
export const SIGN_IN_ROUTES: readonly DescribedRoute[] = [
  {
    method: "post",
    path: "/api/login",
    summary: "Sign in with a token: sets a cookie that counts for 30 days.",
    params: NO_PARAMS,
    query: NO_QUERY,
    body: loginBody,
    answer: meShape,
  },
  {
    method: "post",
    path: "/api/logout",
    summary: "Sign out: the cookie counts no more.",
    params: NO_PARAMS,
    query: NO_QUERY,
    body: NO_BODY,
    answer: z.object({ signedOut: z.boolean() }),
  },
];

export function serveSignIn(app: Hono, core: Core, onSignedOut: () => Promise<void>): void {
  const attempts = createLoginAttempts();
  const explain = explainError(core.log);
  async function answer(work: () => Promise<Response>): Promise<Response> {
    try {
      return await work();
    } catch (error) {
      const { status, code, message, hint } = explain(error);
      return problem(status, code, message, hint);
    }
  }
  app.post("/api/login", (context) => answer(() => login(core, attempts, context)));
  app.post("/api/logout", (context) => answer(() => logout(core, context, onSignedOut)));
}

async function login(core: Core, attempts: LoginAttempts, context: Context): Promise<Response> {
  const { token } = loginBody.parse(await readBody(context.req.raw));
  if (!core.people.isEnabled) return withCookie(core, LOCAL_PERSON, null);
  const address = getConnInfo(context).remote.address ?? "unknown";
  requirePatience(attempts.waitMs(address));
  const signedIn = await signIn(core, { token, address }).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === "NOT_SIGNED_IN") attempts.failed(address);
    throw error;
  });
  const isSecure = context.req.header("x-forwarded-proto") === "https";
  const { cookie, maxAgeMs, person } = signedIn;
  return withCookie(core, person, cookieHeader(cookie, maxAgeMs, isSecure));
}

async function logout(
  core: Core,
  context: Context,
  onSignedOut: () => Promise<void>,
): Promise<Response> {
  const cookie = cookieIn(context.req.header("cookie"));
  if (cookie !== undefined) {
    await signOut(core, cookie);
    await onSignedOut();
  }
  return Response.json(
    { signedOut: cookie !== undefined },
    { headers: { "set-cookie": cookieHeader("", 0, false) } },
  );
}

function requirePatience(waitMs: number): void {
  if (waitMs <= 0) return;
  throw new Refusal(
    "TOO_MANY_TRIES",
    "Too many wrong tokens came from this address.",
    `Try again in ${Math.ceil(waitMs / 1_000)} s.`,
  );
}

function withCookie(core: Core, person: Person, cookie: string | null): Response {
  const headers = cookie === null ? {} : { "set-cookie": cookie };
  return Response.json(wireMe(core, person), { headers });
}

/** Not for scripts, not for other sites; never over plain HTTP where it came over HTTPS. */
function cookieHeader(value: string, maxAgeMs: number, isSecure: boolean): string {
  const age = Math.floor(maxAgeMs / 1_000);
  const secure = isSecure ? "; Secure" : "";
  return `${COOKIE_NAME}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
}
