import type { Diagnosis } from "../../../app/ports/runner.ts";
import { fieldsOf, numberOf, textOf, type Fields } from "../../../base/narrow.ts";
import { RUNNER_FAILURE_TEXTS } from "../../../contract/runner-failure-texts.ts";
import type { FailureKind } from "../../../domain/agents/runner.ts";

const TEXTS = RUNNER_FAILURE_TEXTS.opencode;
type Kind = keyof typeof TEXTS & FailureKind;

const USED_UP =
  /insufficient[_ ](?:quota|credit|balance|funds)|exceeded your current quota|usage ?limit|credit balance|out of credits|billing|per ?day|payment required/i;
const OVERLOADED = /overloaded|unavailable|at capacity/i;
const SIGNED_OUT =
  /unauthorized|invalid.{0,20}api.?key|incorrect api key|api key is missing|ProviderAuthError/i;
const MODEL_UNKNOWN =
  /ProviderModelNotFoundError|model.{0,40}(?:not found|does not exist)|ModelNotFound/i;
/** A longer wait is no burst of requests. */
const LONG_WAIT_MS = 300_000;

/** What OpenCode writes to stderr, also with `--print-logs`. */
export function diagnoseOpencode(stderr: string): Diagnosis | undefined {
  if (/session not found/i.test(stderr)) return found("session-lost", null);
  if (MODEL_UNKNOWN.test(stderr)) return found("model-unknown", null);
  return SIGNED_OUT.test(stderr) ? found("signed-out", null) : undefined;
}

/** The error of an error event at the time `at`. */
export function diagnoseError(error: Fields, at: number | undefined): Diagnosis | undefined {
  const { statusCode, message, responseBody, responseHeaders } = fieldsOf(error.data);
  const text = `${textOf(error.name) ?? ""} ${textOf(message) ?? ""} ${textOf(responseBody) ?? ""}`;
  const wait = waitOf(fieldsOf(responseHeaders));
  const kind = kindOf(numberOf(statusCode), text, wait ?? 0);
  const isLimit = kind === "quota" || kind === "rate-limit";
  const resetsAt = isLimit && wait !== undefined && at !== undefined ? at + wait : null;
  return kind && found(kind, resetsAt);
}

function kindOf(status: number | undefined, text: string, wait: number): Kind | undefined {
  if (status === 402) return "quota";
  if (status === 429) return USED_UP.test(text) || wait > LONG_WAIT_MS ? "quota" : "rate-limit";
  if (status === 400 && USED_UP.test(text)) return "quota";
  if (status === 401 || status === 403 || SIGNED_OUT.test(text)) return "signed-out";
  if (MODEL_UNKNOWN.test(text)) return "model-unknown";
  if (status === 503 || status === 529 || OVERLOADED.test(text)) return "overloaded";
  return undefined;
}

/** How long the provider asks to wait: a number of seconds or milliseconds; dates are rare. */
function waitOf(headers: Fields): number | undefined {
  const ms = Number.parseFloat(textOf(headers["retry-after-ms"]) ?? "");
  const seconds = Number.parseFloat(textOf(headers["retry-after"]) ?? "");
  const wait = Number.isNaN(ms) ? seconds * 1_000 : ms;
  return Number.isFinite(wait) ? wait : undefined;
}

function found(kind: Kind, resetsAt: number | null): Diagnosis {
  return { message: TEXTS[kind].en, failure: { kind, resetsAt } };
}
