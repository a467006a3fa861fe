import { LogLevel, WebClient, type Logger } from "@slack/web-api";
import { fieldsOf, isRecord, numberOf, textOf, type Fields } from "../../../base/narrow.ts";

const TIMEOUT_MS = 10_000;

export type SlackReply =
  | { readonly ok: true; readonly fields: Fields; readonly scopes: readonly string[] }
  /** `code` is Slack's error, `http_<status>`, or `unreachable`. */
  | { readonly ok: false; readonly code: string };

export type AskSlack = {
  readonly apiUrl: string;
  /** undefined: the method needs none. */
  readonly token: string | undefined;
};

/** One call for the set-up, which a person waits for: it is not repeated. */
export async function askSlack(
  { apiUrl, token }: AskSlack,
  method: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<SlackReply> {
  const client = new WebClient(token, {
    slackApiUrl: apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: TIMEOUT_MS,
    logger: SILENT,
  });
  try {
    const answer = await client.apiCall(method, args);
    const fields = isRecord(answer) ? answer : {};
    return { ok: true, fields, scopes: answer.response_metadata?.scopes ?? [] };
  } catch (error) {
    return { ok: false, code: codeOf(fieldsOf(error)) };
  }
}

function codeOf(error: Fields): string {
  const status = numberOf(error["statusCode"]);
  if (error["code"] === "slack_webapi_rate_limited_error") return "ratelimited";
  return (
    textOf(fieldsOf(error["data"])["error"]) ??
    (status === undefined ? "unreachable" : `http_${status}`)
  );
}

/** The client's own log writes to the console. */
const SILENT: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};
