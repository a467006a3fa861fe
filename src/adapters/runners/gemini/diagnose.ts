import type { Diagnosis } from "../../../app/ports/runner.ts";
import { RUNNER_FAILURE_TEXTS } from "../../../contract/runner-failure-texts.ts";
import type { FailureKind } from "../../../domain/agents/runner.ts";
import { durationMs } from "../duration.ts";

const TEXTS = RUNNER_FAILURE_TEXTS.gemini;

/** The exit code of a run that has found no way to sign in; its stdout is empty. */
const NO_AUTH = 41;

const SESSION_LOST =
  /error resuming session|invalid session identifier|no previous sessions found/i;
const SIGNED_OUT =
  /(?:code|status)"?:\s*40[13]|unauthenticated|permission_denied|api key (?:not valid|expired)|api_key_invalid|set an auth method|invalid auth method|must specify the .*environment variable|failed to (?:sign|log) ?in|login (?:required|cancelled)/i;
const MODEL_UNKNOWN =
  /(?:code|status)"?:\s*404|not_found|model not found|models\/\S+ is not found/i;
const OVERLOADED =
  /(?:code|status)"?:\s*50[03]|unavailable|overloaded|no capacity|capacity (?:exceeded|available)|model_capacity/i;
const TOO_MANY =
  /(?:code|status)"?:\s*429|resource_exhausted|exhausted your|too many requests|exceeded your current quota/i;
const USED_UP = /per ?day|daily|limit:\s*0(?![\d.])|insufficient_\S*credits|quota will reset/i;
const RESETS_AFTER =
  /(?:retry (?:in|after)|reset(?:s)? (?:in|after)|"retryDelay":\s*")\s*([\d.]+(?:ms|[hms])(?:\d+[ms])*)/i;
/** A longer wait is no burst of requests: the CLI itself does not retry after it. */
const LONG_WAIT_MS = 300_000;

/** What Gemini says on stderr, or as the error of its result event at the time `at`. */
export function diagnoseGemini(
  text: string,
  exitCode: number | null,
  at = Date.now(),
): Diagnosis | undefined {
  // The CLI adds this advice to every error 429, also to one that is about no quota.
  const [said = text, advice] = text.split("\nPlease wait and try again later.");
  const kind = kindOf(said, exitCode, advice !== undefined);
  if (kind === undefined) return undefined;
  const wait = durationMs(RESETS_AFTER.exec(said)?.[1] ?? "");
  return {
    message: TEXTS[kind].en,
    failure: { kind, resetsAt: wait === undefined ? null : at + wait },
  };
}

function kindOf(
  text: string,
  exitCode: number | null,
  isLimit: boolean,
): keyof typeof TEXTS | undefined {
  if (SESSION_LOST.test(text)) return "session-lost";
  if (exitCode === NO_AUTH) return "signed-out";
  if (isLimit || TOO_MANY.test(text)) return limitOf(text);
  if (SIGNED_OUT.test(text)) return "signed-out";
  if (MODEL_UNKNOWN.test(text)) return "model-unknown";
  return OVERLOADED.test(text) ? "overloaded" : undefined;
}

function limitOf(text: string): Extract<FailureKind, "quota" | "rate-limit" | "overloaded"> {
  if (/no capacity|model_capacity/i.test(text)) return "overloaded";
  const wait = durationMs(RESETS_AFTER.exec(text)?.[1] ?? "") ?? 0;
  return USED_UP.test(text) || wait > LONG_WAIT_MS ? "quota" : "rate-limit";
}
