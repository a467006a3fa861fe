import type { Diagnosis } from "../../../app/ports/runner.ts";
import { resetTimeIn } from "../../../base/reset-time.ts";
import { RUNNER_FAILURE_TEXTS } from "../../../contract/runner-failure-texts.ts";

const TEXTS = RUNNER_FAILURE_TEXTS.codex;

/** The stream has only words. The kinds, most specific first. */
const KINDS: readonly {
  readonly kind: keyof typeof TEXTS;
  readonly text: RegExp;
}[] = [
  {
    kind: "session-lost",
    text: /no rollout found for thread|thread not found|failed to load rollout/i,
  },
  {
    kind: "quota",
    text: /usage limit|quota exceeded|exceeded your current quota|out of credits/i,
  },
  {
    kind: "model-unknown",
    text: /model\b.{0,80}(?:does not exist|is not supported|not found)|unsupported model/i,
  },
  {
    kind: "signed-out",
    text: /\b401\b|unauthorized|not logged in|codex login|(?:log|sign) in again|missing environment variable/i,
  },
  {
    kind: "rate-limit",
    text: /\b429\b|rate.limit|too many requests/i,
  },
  {
    kind: "overloaded",
    text: /\b(?:503|529)\b|at capacity|overloaded|high demand/i,
  },
];

export function failureOfCodex(text: string, now: number): Diagnosis | undefined {
  const found = KINDS.find((kind) => kind.text.test(text));
  if (!found) return undefined;
  const resetsAt = found.kind === "quota" ? resetTimeIn(text, now) : null;
  return { message: TEXTS[found.kind].en, failure: { kind: found.kind, resetsAt } };
}
