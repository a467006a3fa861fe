import { createHmac } from "node:crypto";

/** A request exactly as it goes over the wire, so that it can be sent again. */
export type SignedRequest = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type SignOptions = {
  /** Seconds before (negative) or after the current time. */
  readonly skewSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The signature of another body. */
  readonly isForged?: boolean;
  readonly without?: "x-slack-signature" | "x-slack-request-timestamp";
};

export const JSON_TYPE = "application/json";
/** Bolt refuses this type with a charset. */
export const FORM_TYPE = "application/x-www-form-urlencoded";

/** Signs a request as Slack does; the options make wrong ones. */
export function signRequest(
  secret: string,
  { body, type }: { readonly body: string; readonly type: string },
  { skewSeconds = 0, headers = {}, isForged = false, without }: SignOptions = {},
): SignedRequest {
  const at = Math.floor(Date.now() / 1000) + skewSeconds;
  const signed = isForged ? `${body} ` : body;
  const hash = createHmac("sha256", secret).update(`v0:${at}:${signed}`).digest("hex");
  const all: Record<string, string> = {
    "content-type": type,
    "user-agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
    "x-slack-request-timestamp": String(at),
    "x-slack-signature": `v0=${hash}`,
    ...headers,
  };
  const kept = Object.entries(all).filter(([name]) => name !== without);
  return { headers: Object.fromEntries(kept), body };
}
