import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { UpstreamFault, type UpstreamFaultKind } from "../../app/ports/upstream.ts";
import { errorCode } from "../../base/error-code.ts";
import { plainText } from "../../domain/text/plain-text.ts";
import { MAX_ERROR_CHARS } from "./limits.ts";
import { kindOfOwnError } from "./own-errors.ts";
import { NotSent } from "./stdio-transport.ts";

/** Classifies an error of the SDK: did the call certainly not run, was it rejected, or is it lost? */
export function faultOf(error: unknown, signal: AbortSignal, timeoutMs: number): UpstreamFault {
  if (error instanceof UpstreamFault) return error;
  if (signal.aborted) return new UpstreamFault("cancelled", "The call was cancelled.");
  if (isTimeout(error)) {
    return new UpstreamFault("timeout", `There was no answer within ${timeoutMs} ms.`);
  }
  return new UpstreamFault(kindOf(error), reasonOf(error));
}

function kindOf(error: unknown): UpstreamFaultKind {
  if (error instanceof NotSent) return "unavailable";
  if (ProtocolError.isInstance(error)) return kindOfOwnError(error.data) ?? "rejected";
  if (SdkHttpError.isInstance(error)) return kindOfStatus(error.status);
  if (SdkError.isInstance(error)) {
    if (error.code === SdkErrorCode.NotConnected) return "unavailable";
    // The server asks for input that only an interactive client could give.
    return error.code === SdkErrorCode.UnsupportedResultType ? "rejected" : "lost";
  }
  return isUnreachable(error) ? "unavailable" : "lost";
}

/** Timeouts at the server or a proxy: the server may have received the whole request. */
const TIMEOUT_STATUSES = [408, 499];

function kindOfStatus(status: number): UpstreamFaultKind {
  // The server was restarted and does not know the session.
  if (status === 404) return "unavailable";
  if (TIMEOUT_STATUSES.includes(status)) return "lost";
  return status >= 400 && status < 500 ? "rejected" : "lost";
}

export function isTimeout(error: unknown): boolean {
  return SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout;
}

const NEVER_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function isUnreachable(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return false;
  // Several addresses were tried, each with its own error.
  if (cause instanceof AggregateError) return cause.errors.every(hasNeverConnected);
  return hasNeverConnected(cause);
}

function hasNeverConnected(error: unknown): boolean {
  return NEVER_CONNECTED.has(String(errorCode(error)));
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return shortText(String(error));
  const { cause } = error;
  return shortText(cause instanceof Error ? `${error.message} (${cause.message})` : error.message);
}

export function shortText(text: string): string {
  return plainText(text.slice(0, MAX_ERROR_CHARS));
}
