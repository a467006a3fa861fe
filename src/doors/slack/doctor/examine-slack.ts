import { SLACK_PROBLEM_TEXTS } from "../../../contract/slack-problems.ts";
import type { Locale } from "../../../domain/locale.ts";
import { checkBoards, checkPeople } from "./check-entries.ts";
import { checkScopes, checkToken } from "./check-tokens.ts";
import { checkHttp, checkSocket } from "./check-way-in.ts";
import { DOCTOR_TEXTS } from "./doctor-texts.ts";
import {
  type Doctor,
  failed,
  type Finding,
  type InstalledWorkspaces,
  ok,
  skipped,
  type SlackSetup,
  warning,
  type Workspace,
} from "./finding.ts";

/** Calls `found` with each finding as soon as it is known. */
export async function examineSlack(
  setup: SlackSetup,
  locale: Locale,
  found: (finding: Finding) => void,
): Promise<void> {
  const texts = DOCTOR_TEXTS[locale];
  const doctor = { setup, locale, texts };
  const report = (findings: readonly Finding[]): void => findings.forEach((each) => found(each));
  report(checkSettings(doctor));
  const { state, secrets } = setup;
  if (state.kind !== "on") return;

  const workspaces: Workspace[] = [];
  let app: string | undefined;
  if (secrets.botToken) {
    const { findings, workspace } = await checkToken(doctor, secrets.botToken);
    report(findings);
    if (workspace) workspaces.push(workspace);
    app = workspace?.app;
  }
  if (secrets.client) {
    for (const installed of setup.installed) {
      const { findings, workspace } = await checkInstalled(doctor, installed);
      report(findings);
      if (workspace) workspaces.push(workspace);
    }
    report(checkInstalling(doctor));
  }
  if (state.mode === "socket") report(await checkSocket(doctor, secrets.appToken ?? "", app));
  else report([await checkHttp(doctor, secrets.signingSecret ?? "")]);
  report(await checkPeople(doctor, workspaces));
  report(await checkBoards(doctor, workspaces));
}

function checkSettings({ setup, texts, locale }: Doctor): readonly Finding[] {
  const { state, untrusted } = setup;
  const problems = SLACK_PROBLEM_TEXTS[locale];
  const trust = untrusted === null ? [] : [warning("settings", "untrusted", untrusted)];
  if (state.kind === "on") return [ok("settings", texts.modes[state.mode]), ...trust];
  if (state.kind === "wrong") {
    const wrong = state.problems.map((problem) => failed("settings", problem, problems[problem]));
    return [...wrong, ...trust];
  }
  const has = (...names: readonly string[]) => names.some((name) => state.unused.includes(name));
  const canSpeak = has("SLACK_BOT_TOKEN", "SLACK_CLIENT_ID");
  const canListen = has("SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET");
  const advice = [
    ...(canSpeak ? [] : [problems["no-bot-token"]]),
    ...(canListen ? [] : [problems["no-way-in"]]),
  ];
  return [failed("settings", "off", texts.off, advice.join("\n")), ...trust];
}

async function checkInstalled(doctor: Doctor, installed: InstalledWorkspaces[number]) {
  const { team, scopes, token } = installed;
  const { texts } = doctor;
  if (typeof token === "object") return checkToken(doctor, token.value);
  const finding =
    token === "unreadable"
      ? failed("workspaces", "unreadable_token", texts.unreadable(team), texts.restoreKey)
      : skipped("workspaces", texts.onlyDaemon(team));
  return { findings: [finding, ...checkScopes(doctor, team, scopes)], workspace: undefined };
}

/** Several workspaces: whether the app can be installed, and is. */
function checkInstalling({ setup, texts }: Doctor): readonly Finding[] {
  const isNeeded = !setup.secrets.botToken && setup.installed.length === 0;
  const noUrl = isNeeded ? failed : warning;
  return [
    ...(setup.settings.publicUrl === undefined
      ? [noUrl("workspaces", "no_public_url", texts.noPublicUrl, texts.setPublicUrl)]
      : []),
    ...(isNeeded ? [failed("workspaces", "no_workspace", texts.noWorkspace, texts.makeLink)] : []),
  ];
}
