import type { Context, Hono } from "hono";
import type { Core } from "../../app/core.ts";
import { signIn, signOut } from "../../app/people/sign-in.ts";
import { SESSION_HEADER } from "../../contract/http-headers.ts";
import * as contract from "../../contract/routes/people.ts";
import type { WireLogin } from "../../contract/shapes/people.ts";
import { Refusal } from "../../domain/refusal.ts";
import { localeOfRequest } from "../locale-of-request.ts";
import { explainError } from "./explain-error.ts";
import type { Authenticator } from "./identify-request.ts";
import { problem } from "./problem.ts";
import { readBody } from "./read-body.ts";
import { wireMe } from "./routes/people/me.ts";

export type SignInDoor = {
  readonly core: Core;
  readonly authenticator: Authenticator;
  readonly onSignedOut: () => Promise<void>;
};

/** Signing in and out set and clear a cookie, which no other route does. */
export function serveSignIn(app: Hono, door: SignInDoor): void {
  const explain = explainError(door.core);
  async function answer(context: Context, work: () => Promise<Response>): Promise<Response> {
    try {
      return await work();
    } catch (error) {
      const { status, code, message, hint } = explain(
        error,
        localeOfRequest(door.core.settings, context.req.raw.headers),
      );
      return problem(status, code, message, hint);
    }
  }
  app.post(contract.login.path, (context) => answer(context, () => login(door, context)));
  app.post(contract.logout.path, (context) => answer(context, () => logout(door, context)));
}

async function login({ core, authenticator }: SignInDoor, context: Context): Promise<Response> {
  const request = context.req.raw;
  const { token } = contract.login.body.parse(await readBody(request));
  if (!core.people.isEnabled) throw noSignInHere();
  const address = authenticator.addressOf(request);
  const { person, session, maxAgeMs } = await signIn(core, { token, address }).catch(
    async (error: unknown) => {
      if (!(error instanceof Refusal) || error.code !== "NOT_SIGNED_IN") throw error;
      throw await authenticator.wrongTokens.refuse({ address, at: "sign-in" }, error);
    },
  );
  const answer: WireLogin = { ...wireMe(core, person), sessionKey: session.key };
  authenticator.cookie.set(context, session.cookie, maxAgeMs, isHttps(request));
  return context.json(answer);
}

async function logout(
  { core, authenticator, onSignedOut }: SignInDoor,
  context: Context,
): Promise<Response> {
  const cookies = authenticator.cookie.valuesIn(context.req.header("cookie"));
  const key = context.req.header(SESSION_HEADER) ?? "";
  let signedOut = false;
  for (const cookie of cookies) signedOut ||= await signOut(core, { cookie, key });
  if (signedOut) await onSignedOut();
  authenticator.cookie.clear(context);
  return context.json({ signedOut });
}

/** TLS ends at a proxy in front of the daemon. The guard has checked Origin. */
function isHttps(request: Request): boolean {
  const forwarded = request.headers.get("x-forwarded-proto")?.split(",")[0]?.trim();
  return forwarded === "https" || request.headers.get("origin")?.startsWith("https://") === true;
}

function noSignInHere(): Refusal {
  return new Refusal("NOT_SIGNED_IN", {
    en: [
      "There is no sign-in here: no person is in auth.users.",
      "Open the dashboard without a token, or add a person with `kuromajutsu user add`.",
    ],
    ja: [
      "サインインは使っていません。auth.users に利用者がいません。",
      "トークンなしでダッシュボードを開くか、`kuromajutsu user add` で利用者を加えてください。",
    ],
  });
}
