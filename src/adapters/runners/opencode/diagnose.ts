import type { Diagnosis } from "../../../app/ports/runner.ts";
import { fieldsOf, numberOf, textOf, type Fields } from "../../../base/narrow.ts";
import type { FailureKind } from "../../../domain/agents/runner.ts";

const MESSAGES = {
  "signed-out":
    "OpenCode is not signed in at the provider of the model, or its key is not valid. Run `opencode auth login`, or set the variable of the provider's key.",
  quota:
    "The plan or the credit at the provider of the model is used up. Wait until it resets, or set another model or runner for the role; `opencode models` lists them.",
  "rate-limit":
    "The provider of the model got too many requests in a short time. Run fewer agents at once (`agent.maxConcurrent`), or try again in a minute.",
  overloaded:
    "The provider of the model is overloaded. Try again later, or set another model for the role; `opencode models` lists them.",
  "session-lost":
    "OpenCode does not have this session any more. Run `opencode session list` to see those that exist.",
  "model-unknown":
    "OpenCode does not know the model. Run `opencode models` and set `model` of the role to one of them, such as `anthropic/claude-sonnet-4-5`.",
} as const;
type Kind = keyof typeof MESSAGES & FailureKind;

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
  return { message: MESSAGES[kind], failure: { kind, resetsAt } };
}
