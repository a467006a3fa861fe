import { textOf } from "../../../base/narrow.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import { BOT_SCOPES, OPTIONAL_SCOPES } from "../setup/app-definition.ts";
import { askSlack } from "../setup/ask-slack.ts";
import {
  type CheckName,
  type Doctor,
  failed,
  type Finding,
  ok,
  warning,
  type Workspace,
} from "./finding.ts";

export type CheckedToken = {
  readonly findings: readonly Finding[];
  /** undefined: the token does not work. */
  readonly workspace: (Workspace & { readonly app: string | undefined }) | undefined;
};

/** Whether a bot token works, for which workspace, and with which scopes. */
export async function checkToken(doctor: Doctor, token: string): Promise<CheckedToken> {
  const { texts, setup } = doctor;
  const reply = await askSlack({ apiUrl: setup.secrets.apiUrl, token }, "auth.test");
  if (!reply.ok) {
    return { findings: [refused(doctor, "token", reply.code)], workspace: undefined };
  }
  const text = (name: string) => visibleLine(textOf(reply.fields[name]) ?? "?");
  const [team, name, botName] = [text("team_id"), text("team"), text("user")];
  const found = texts.bot(name, team, botName);
  return {
    findings: [ok("token", found), ...checkScopes(doctor, team, reply.scopes)],
    workspace: { team, token, botName, app: textOf(reply.fields["app_id"]) },
  };
}

export function checkScopes(
  { texts }: Doctor,
  team: string,
  granted: readonly string[],
): readonly Finding[] {
  const missing = (of: readonly string[]) => of.filter((scope) => !granted.includes(scope));
  const [needed, optional] = [missing(BOT_SCOPES), missing(OPTIONAL_SCOPES)];
  const found = (scopes: readonly string[]) => texts.scopesMissing(team, scopes.join(", "));
  return [
    needed.length > 0
      ? failed("scopes", "missing_scope", found(needed), texts.addScopes)
      : ok("scopes", texts.scopesOk(team, BOT_SCOPES.length)),
    ...(optional.length > 0
      ? [warning("scopes", "missing_scope", found(optional), texts.addOptionalScopes)]
      : []),
  ];
}

/** Slack's error, and what to do about it. */
export function refused(
  { texts, setup }: Doctor,
  check: CheckName,
  code: string,
  advice = texts.remedies[code] ?? null,
): Finding {
  const isDown = code === "unreachable" || code.startsWith("http_");
  return isDown
    ? failed(check, code, texts.noAnswer(code), texts.unreachable(setup.secrets.apiUrl))
    : failed(check, code, texts.slackSaid(visibleLine(code)), advice);
}
