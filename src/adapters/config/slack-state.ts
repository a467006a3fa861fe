import type { SlackSecrets, SlackState } from "../../app/ports/slack-settings.ts";
import type { Config } from "../../contract/config/schema.ts";
import type { SlackProblem } from "../../contract/slack-problems.ts";
import type { Env } from "./locate.ts";

const API_URL = "https://slack.com/api/";

const VARIABLES = [
  "SLACK_BOT_TOKEN",
  "SLACK_APP_TOKEN",
  "SLACK_SIGNING_SECRET",
  "SLACK_CLIENT_ID",
  "SLACK_CLIENT_SECRET",
] as const;

/** Whether Slack is on, and how it reaches the daemon. */
export function slackStateOf(settings: Config["slack"], env: Env): SlackState {
  const given = VARIABLES.filter((name) => valueOf(env, name));
  const has = (name: (typeof VARIABLES)[number]) => given.includes(name);
  const isComplete =
    (has("SLACK_BOT_TOKEN") || has("SLACK_CLIENT_ID")) &&
    (has("SLACK_APP_TOKEN") || has("SLACK_SIGNING_SECRET"));
  // Other programs use SLACK_BOT_TOKEN too: alone it does not mean that we should use it.
  if (given.length === 0 || (!isComplete && !mentionsSlack(settings))) {
    return { kind: "off", unused: given };
  }
  const secrets = slackSecrets(env);
  const problems = problemsOf(settings, env, secrets);
  if (problems.length > 0) return { kind: "wrong", problems };
  const mode = settings.mode === "auto" ? (secrets.appToken ? "socket" : "http") : settings.mode;
  return { kind: "on", mode, secrets };
}

/** An empty variable counts as not set. Copied values often end with a line break. */
export function slackSecrets(env: Env): SlackSecrets {
  const id = valueOf(env, "SLACK_CLIENT_ID");
  const secret = valueOf(env, "SLACK_CLIENT_SECRET");
  return {
    botToken: valueOf(env, "SLACK_BOT_TOKEN"),
    appToken: valueOf(env, "SLACK_APP_TOKEN"),
    signingSecret: valueOf(env, "SLACK_SIGNING_SECRET"),
    client: id && secret ? { id, secret } : undefined,
    apiUrl: (valueOf(env, "SLACK_API_URL") ?? API_URL).replace(/\/*$/, "/"),
  };
}

function valueOf(env: Env, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

function mentionsSlack({ mode, people, boards }: Config["slack"]): boolean {
  return mode !== "auto" || people.length > 0 || boards.length > 0;
}

function problemsOf(
  { mode }: Config["slack"],
  env: Env,
  secrets: SlackSecrets,
): readonly SlackProblem[] {
  const { botToken, appToken, signingSecret, client } = secrets;
  const hasHalfClient =
    !client && Boolean(valueOf(env, "SLACK_CLIENT_ID") ?? valueOf(env, "SLACK_CLIENT_SECRET"));
  return [
    ...problemsOfTokens(botToken, appToken),
    ...(signingSecret && /^(?:xox|xapp-)/.test(signingSecret)
      ? (["token-as-signing-secret"] as const)
      : []),
    ...(hasHalfClient ? (["client-incomplete"] as const) : []),
    ...(!botToken && !client && !hasHalfClient ? (["no-bot-token"] as const) : []),
    ...whyNoWayIn(mode, secrets),
    ...(isSafeApiUrl(secrets.apiUrl) ? [] : (["wrong-api-url"] as const)),
  ];
}

function problemsOfTokens(
  botToken: string | undefined,
  appToken: string | undefined,
): readonly SlackProblem[] {
  if (botToken?.startsWith("xapp-") && appToken?.startsWith("xoxb-")) return ["swapped"];
  return [
    ...(botToken === undefined ? [] : problemsOfBotToken(botToken)),
    ...(appToken === undefined ? [] : problemsOfAppToken(appToken)),
  ];
}

function problemsOfBotToken(token: string): readonly SlackProblem[] {
  if (token.startsWith("xoxb-")) return [];
  if (token.startsWith("xapp-")) return ["app-token-as-bot-token"];
  if (token.startsWith("xoxp-")) return ["user-token-as-bot-token"];
  return token.startsWith("xoxe") ? ["rotating-bot-token"] : ["not-a-bot-token"];
}

function problemsOfAppToken(token: string): readonly SlackProblem[] {
  if (token.startsWith("xapp-")) return [];
  return token.startsWith("xoxb-") ? ["bot-token-as-app-token"] : ["not-an-app-token"];
}

function whyNoWayIn(
  mode: Config["slack"]["mode"],
  { appToken, signingSecret }: SlackSecrets,
): readonly SlackProblem[] {
  if (mode === "socket") return appToken ? [] : ["no-app-token"];
  if (mode === "http") return signingSecret ? [] : ["no-signing-secret"];
  return appToken || signingSecret ? [] : ["no-way-in"];
}

/** Tokens are sent there. */
function isSafeApiUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const isLoopback =
    hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
  return protocol === "https:" || (protocol === "http:" && isLoopback);
}
