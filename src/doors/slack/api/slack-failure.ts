import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from "@slack/web-api";
import { errorCode } from "../../../base/error-code.ts";
import { SlackCallFailed } from "../slack-api.ts";

/** Slack's own faults: its documentation says that a part of the work may be done. */
const FAULTS = ["fatal_error", "internal_error", "request_timeout", "service_unavailable"];
const LIMITED = ["ratelimited", "rate_limited"];
const ERROR_CODE = /^[a-z][a-z0-9_.]{0,79}$/;
const DEFAULT_PAUSE_MS = 30_000;

/** The connection was never made, so Slack has not seen the request. */
const UNSENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** What a rejected call means for the caller. Never contains the token or texts of the request. */
export function slackFailure(error: unknown): SlackCallFailed {
  if (error instanceof SlackCallFailed) return error;
  if (error instanceof WebAPIRateLimitedError) {
    return new SlackCallFailed("limited", "ratelimited", error.retryAfter * 1_000);
  }
  if (error instanceof WebAPIPlatformError) return ofAnswer(error.data.error);
  if (error instanceof WebAPIHTTPError) {
    const { statusCode } = error;
    const isUnclear = statusCode >= 500 || statusCode === 408;
    return new SlackCallFailed(isUnclear ? "lost" : "unreachable", `http_${statusCode}`);
  }
  if (error instanceof WebAPIRequestError) return ofRequest(error.original);
  // The text cannot be encoded, for example because of half a surrogate pair.
  if (error instanceof URIError) return new SlackCallFailed("refused", "invalid_text");
  return new SlackCallFailed("lost", "unknown_failure");
}

function ofAnswer(code: string): SlackCallFailed {
  // A proxy may answer with a page.
  if (!ERROR_CODE.test(code)) return new SlackCallFailed("lost", "unreadable_answer");
  if (LIMITED.includes(code)) return new SlackCallFailed("limited", code, DEFAULT_PAUSE_MS);
  return new SlackCallFailed(FAULTS.includes(code) ? "lost" : "refused", code);
}

function ofRequest(original: Error): SlackCallFailed {
  if (original.name === "TimeoutError") return new SlackCallFailed("lost", "timeout");
  const code = errorCode(original) ?? errorCode(original.cause) ?? "connection_failed";
  return new SlackCallFailed(UNSENT.test(code) ? "unreachable" : "lost", code);
}
