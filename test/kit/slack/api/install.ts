import type { Fields } from "../../../../src/base/narrow.ts";
import { addToken, randomHex, type World } from "../world.ts";
import { ApiError, type Args } from "./method.ts";

/** `oauth.v2.access`: exchanges the code of an installation for the bot token, once. */
export function exchangeCode(world: World, args: Args, authorization: string): Fields {
  const { app, installCodes } = world;
  const [basicId, basicSecret] = readBasic(authorization);
  const clientId = args.text("client_id") ?? basicId;
  const secret = args.text("client_secret") ?? basicSecret;
  if (clientId !== app.clientId) throw new ApiError("invalid_client_id");
  if (secret !== app.clientSecret) throw new ApiError("bad_client_secret");
  const code = args.need("code", "invalid_code");
  const granted = installCodes.get(code);
  if (!granted) throw new ApiError("invalid_code");
  installCodes.delete(code);
  const redirectUri = args.text("redirect_uri") ?? granted.redirectUri;
  if (redirectUri !== granted.redirectUri) throw new ApiError("bad_redirect_uri");
  const { team, scopes, userId } = granted;
  const token = addToken(world, team, scopes);
  return {
    access_token: token.value,
    token_type: "bot",
    scope: scopes.join(","),
    bot_user_id: team.botUserId,
    app_id: app.id,
    team: { id: team.id, name: team.name },
    enterprise: null,
    is_enterprise_install: false,
    authed_user: { id: userId },
  };
}

function readBasic(authorization: string): readonly string[] {
  const [kind, value = ""] = authorization.split(" ");
  return kind === "Basic" ? Buffer.from(value, "base64").toString().split(":") : [];
}

/** A person agrees on Slack's page. Returns the address that the browser is sent back to. */
export function agreeToInstall(
  world: World,
  { teamId, userId }: { readonly teamId: string; readonly userId: string },
  authorizeUrl: string,
): string {
  const { searchParams } = new URL(authorizeUrl);
  const team = world.teams.get(teamId);
  const redirectUri = searchParams.get("redirect_uri") ?? "";
  if (!team || searchParams.get("client_id") !== world.app.clientId || !redirectUri) {
    throw new Error(`Slack would refuse to install the app with ${authorizeUrl}`);
  }
  const code = randomHex(12);
  const scopes = (searchParams.get("scope") ?? "").split(",");
  world.installCodes.set(code, { team, userId, scopes, redirectUri });
  const back = new URL(redirectUri);
  back.searchParams.set("code", code);
  back.searchParams.set("state", searchParams.get("state") ?? "");
  return back.href;
}
