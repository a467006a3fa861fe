import { SlackCallFailed } from "../slack-api.ts";
import { isSlackAddress } from "./slack-address.ts";

export type ResponseUrls = {
  /** Answers a command, a shortcut or a click, also in a channel without the app. */
  send(url: string, message: Readonly<Record<string, unknown>>): Promise<void>;
};

const SLACK_HOST = "hooks.slack.com";
const WITHIN_MS = 10_000;

/** The address comes from a request, so only Slack's own host is called. */
export function createResponseUrls(apiUrl: string | undefined): ResponseUrls {
  return {
    async send(url, message) {
      if (!isSlackAddress(url, SLACK_HOST, apiUrl)) {
        throw new SlackCallFailed("refused", "foreign_response_url");
      }
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(message),
        redirect: "error",
        signal: AbortSignal.timeout(WITHIN_MS),
      }).catch((error: unknown) => {
        throw new SlackCallFailed("unreachable", String(error));
      });
      await response.body?.cancel();
      if (!response.ok) throw new SlackCallFailed("refused", `http_${response.status}`);
    },
  };
}
