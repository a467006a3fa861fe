import { LogLevel, WebClient, type Logger, type WebClientOptions } from "@slack/web-api";
import { fieldsOf } from "../../../src/base/narrow.ts";
import { aFakeSlack, type FakeSlackOptions } from "./fake-slack.ts";

/** The clients log every fault that a test provokes. */
export const SILENT: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

const OPTIONS: WebClientOptions = {
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
  logger: SILENT,
};

/** The real Web API client in a workspace with a person and a channel. */
export async function aClient(options: FakeSlackOptions = {}) {
  const slack = await aFakeSlack(options);
  const workspace = slack.workspace("acme");
  const alice = workspace.person("alice");
  const channel = workspace.channel("general", [alice]);
  const clientFor = (token: string) =>
    new WebClient(token, { ...OPTIONS, slackApiUrl: slack.apiUrl });
  const client = clientFor(workspace.botToken.value);
  const post = async (args: Record<string, unknown> = {}) => {
    const answer = await client.apiCall("chat.postMessage", { channel, text: "x", ...args });
    return String(fieldsOf(answer)["ts"]);
  };
  return { slack, workspace, alice, channel, client, clientFor, post };
}
