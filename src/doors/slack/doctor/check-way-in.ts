import { createHmac, randomBytes } from "node:crypto";
import { fieldsOf, parseJson } from "../../../base/narrow.ts";
import { EVENTS_PATH } from "../setup/app-definition.ts";
import { askSlack } from "../setup/ask-slack.ts";
import { refused } from "./check-tokens.ts";
import { type Doctor, failed, type Finding, ok } from "./finding.ts";

const TIMEOUT_MS = 10_000;
/** Errors of `apps.connections.open` that a new app-level token solves. */
const WRONG_APP_TOKEN = ["missing_scope", "not_allowed_token_type", "invalid_auth", "not_authed"];

/** Socket Mode: whether the app-level token opens a connection, and is of the app of the bot token. */
export async function checkSocket(
  doctor: Doctor,
  appToken: string,
  botApp: string | undefined,
): Promise<readonly Finding[]> {
  const { texts, setup } = doctor;
  const access = { apiUrl: setup.secrets.apiUrl, token: appToken };
  const reply = await askSlack(access, "apps.connections.open");
  const [, appApp] = /^xapp-\d+-(A[A-Z0-9]+)-/.exec(appToken) ?? [];
  const isOther = appApp !== undefined && botApp !== undefined && appApp !== botApp;
  if (!reply.ok) {
    const advice = WRONG_APP_TOKEN.includes(reply.code) ? texts.appTokenScope : undefined;
    return [refused(doctor, "socket", reply.code, advice)];
  }
  if (!isOther) return [ok("socket", texts.socketOk)];
  return [failed("socket", "other_app", texts.otherApp(botApp, appApp), texts.useOneApp)];
}

/** HTTP mode: sends what Slack sends to verify an address, with our signature. */
export async function checkHttp(doctor: Doctor, signingSecret: string): Promise<Finding> {
  const { texts, setup } = doctor;
  const origin = setup.settings.publicUrl ?? setup.daemonUrl;
  if (origin === null) return failed("http", "no_address", texts.httpNoAddress, texts.setPublicUrl);
  const url = `${origin}${EVENTS_PATH}`;
  const outcome = await verifyAddress(url, signingSecret);
  if (outcome === "answered") return ok("http", texts.httpOk(url));
  const remedies = texts.httpRemedies;
  const advice =
    outcome === "unreachable" || outcome === "status_401" ? remedies[outcome] : remedies.other;
  return failed("http", outcome, texts.httpFailed(url, outcome), advice);
}

/** `answered`, `unreachable`, `unexpected_answer` or `status_<number>`. */
async function verifyAddress(url: string, signingSecret: string): Promise<string> {
  const challenge = randomBytes(16).toString("hex");
  const body = JSON.stringify({ type: "url_verification", challenge });
  const at = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac("sha256", signingSecret).update(`v0:${at}:${body}`).digest("hex");
  try {
    const response = await fetch(url, {
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        "x-slack-request-timestamp": at,
        "x-slack-signature": `v0=${signature}`,
      },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status !== 200) return `status_${response.status}`;
    const text = await response.text();
    const isEcho = fieldsOf(parseJson(text))["challenge"] === challenge || text === challenge;
    return isEcho ? "answered" : "unexpected_answer";
  } catch {
    return "unreachable";
  }
}
