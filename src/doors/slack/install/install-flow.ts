import type { Core } from "../../../app/core.ts";
import { installLinkHash } from "../../../app/people/slack-workspaces.ts";
import type { SlackSecrets } from "../../../app/ports/slack-settings.ts";
import type { SlackCode } from "../../../app/ports/slack-store.ts";
import { isRecord, parseJson, textOf, type Fields } from "../../../base/narrow.ts";
import { BOT_SCOPES, OPTIONAL_SCOPES, REDIRECT_PATH } from "../setup/app-definition.ts";
import type { Installations, NewInstallation } from "./installations.ts";

/** Slack's page for the consent takes a minute or two. */
export const STATE_VALID_MS = 10 * 60_000;

export type InstallFlowOptions = {
  readonly core: Pick<Core, "store" | "clock" | "tokens" | "log">;
  readonly installations: Pick<Installations, "put">;
  readonly client: NonNullable<SlackSecrets["client"]>;
  readonly apiUrl: string;
  readonly publicUrl: string;
};

export type InstallProblem =
  | "no-link"
  | "wrong-state"
  | "denied"
  | "slack-refused"
  | "organization"
  | "rotation";

export type Began =
  | { readonly ok: true; readonly authorizeUrl: string; readonly browser: string }
  | { readonly ok: false; readonly problem: InstallProblem };

export type Finished =
  | { readonly ok: true; readonly team: string; readonly name: string }
  | { readonly ok: false; readonly problem: InstallProblem; readonly code?: string };

/** Stored under the hash of the state that Slack returns to us. */
type State = {
  /** The hash of the cookie of the browser that began. */
  readonly browser: string;
  /** The hash of the link, which counts for one installation. */
  readonly link: string;
};

/**
 * Sends the browser to Slack. The link stays valid until an installation is finished: programs that
 * preview links open it too.
 */
export async function beginInstall(options: InstallFlowOptions, linkCode: string): Promise<Began> {
  const { core, client, apiUrl, publicUrl } = options;
  const link = installLinkHash(core, linkCode);
  const [state, browser] = [core.tokens.create(), core.tokens.create()];
  const now = core.clock.now();
  const isKnown = await core.store.transaction(async (unit) => {
    const found = await unit.takeSlackCode(link, now);
    if (found?.purpose !== "install") return false;
    await unit.insertSlackCode(found);
    const data: State = { browser: core.tokens.hash(browser), link };
    await unit.insertSlackCode({
      hash: stateHash(core, state),
      purpose: "install",
      data: JSON.stringify(data),
      expiresAt: now + STATE_VALID_MS,
    });
    return true;
  });
  if (!isKnown) return { ok: false, problem: "no-link" };
  const url = new URL("../oauth/v2/authorize", apiUrl);
  url.search = new URLSearchParams({
    client_id: client.id,
    scope: [...BOT_SCOPES, ...OPTIONAL_SCOPES].join(","),
    redirect_uri: `${publicUrl}${REDIRECT_PATH}`,
    state,
  }).toString();
  return { ok: true, authorizeUrl: url.href, browser };
}

export type Returned = {
  readonly code: string | undefined;
  readonly state: string | undefined;
  /** Slack's reason, such as `access_denied`. */
  readonly error: string | undefined;
  /** The cookie that `beginInstall` gave to the browser. */
  readonly browser: string | undefined;
};

/** Slack has sent the browser back: exchanges the code for a token and stores it. */
export async function finishInstall(
  options: InstallFlowOptions,
  { code, state, error, browser }: Returned,
): Promise<Finished> {
  const { core, installations } = options;
  const begun = await takeState(core, state ?? "");
  if (!begun || begun.browser !== core.tokens.hash(browser ?? "")) {
    return { ok: false, problem: "wrong-state" };
  }
  if (error !== undefined || !code) return { ok: false, problem: "denied" };
  const link = await takeCode(core, begun.link);
  if (!link) return { ok: false, problem: "no-link" };
  const answer = await exchangeCode(options, code);
  if (answer.kind === "problem") {
    await core.store.transaction((unit) => unit.insertSlackCode(link));
    return { ok: false, ...answer };
  }
  // A crash before this line uses up the link and installs nothing; an admin makes another one.
  await installations.put(answer.installation, link.data);
  const { team } = answer.installation;
  core.log.info("The app was installed in a Slack workspace.", { team });
  return { ok: true, team, name: answer.name };
}

/** A state counts once, even if the rest fails. */
async function takeState(core: InstallFlowOptions["core"], state: string) {
  const taken = await takeCode(core, stateHash(core, state));
  const data = taken && parseJson(taken.data);
  if (!isRecord(data)) return undefined;
  const [browser, link] = [textOf(data["browser"]), textOf(data["link"])];
  return browser !== undefined && link !== undefined ? { browser, link } : undefined;
}

/** undefined: it was used, or has expired. */
async function takeCode(
  { store, clock }: Pick<Core, "store" | "clock">,
  hash: string,
): Promise<SlackCode | undefined> {
  const taken = await store.transaction((unit) => unit.takeSlackCode(hash, clock.now()));
  return taken?.purpose === "install" ? taken : undefined;
}

type Exchanged =
  | { readonly kind: "installed"; readonly installation: NewInstallation; readonly name: string }
  | { readonly kind: "problem"; readonly problem: InstallProblem; readonly code?: string };

async function exchangeCode(options: InstallFlowOptions, code: string): Promise<Exchanged> {
  const { client, apiUrl, publicUrl } = options;
  // The client library is large and only needed here.
  const { askSlack } = await import("../setup/ask-slack.ts");
  const reply = await askSlack({ apiUrl, token: undefined }, "oauth.v2.access", {
    client_id: client.id,
    client_secret: client.secret,
    code,
    redirect_uri: `${publicUrl}${REDIRECT_PATH}`,
  });
  if (!reply.ok) return { kind: "problem", problem: "slack-refused", code: reply.code };
  return readInstallation(reply.fields);
}

function readInstallation(fields: Fields): Exchanged {
  const team = isRecord(fields["team"]) ? fields["team"] : {};
  const user = isRecord(fields["authed_user"]) ? fields["authed_user"] : {};
  const [teamId, token] = [textOf(team["id"]), textOf(fields["access_token"])];
  const botUser = textOf(fields["bot_user_id"]);
  if (fields["is_enterprise_install"] === true) return { kind: "problem", problem: "organization" };
  // Expiring tokens would have to be renewed all the time. The manifest turns rotation off.
  if (fields["refresh_token"] !== undefined) return { kind: "problem", problem: "rotation" };
  if (!teamId || !token || !botUser) {
    return { kind: "problem", problem: "slack-refused", code: "unreadable_answer" };
  }
  const enterprise = isRecord(fields["enterprise"])
    ? textOf(fields["enterprise"]["id"])
    : undefined;
  return {
    kind: "installed",
    name: textOf(team["name"]) ?? teamId,
    installation: {
      team: teamId,
      enterprise: enterprise ?? null,
      botUser,
      token,
      scopes: (textOf(fields["scope"]) ?? "").split(",").filter(Boolean),
      installedBy: textOf(user["id"]) ?? "unknown",
    },
  };
}

function stateHash({ tokens }: Pick<Core, "tokens">, state: string): string {
  return tokens.hash(`slack-install-state:${state}`);
}
