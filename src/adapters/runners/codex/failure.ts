import type { Diagnosis } from "../../../app/ports/runner.ts";
import { resetTimeIn } from "../../../base/reset-time.ts";
import type { Failure } from "../../../domain/agents/runner.ts";

/** The stream has only words. The kinds, most specific first. */
const KINDS: readonly {
  readonly kind: Failure["kind"];
  readonly text: RegExp;
  readonly message: string;
}[] = [
  {
    kind: "session-lost",
    text: /no rollout found for thread|thread not found|failed to load rollout/i,
    message:
      "The conversation to continue does not exist any more. Run the agent again without it; `codex resume` lists those that exist.",
  },
  {
    kind: "quota",
    text: /usage limit|quota exceeded|exceeded your current quota|out of credits/i,
    message:
      "The limit of the ChatGPT plan or of the API credit is reached. Wait until it resets or set another runner; /status in `codex` shows the limits.",
  },
  {
    kind: "model-unknown",
    text: /model\b.{0,80}(?:does not exist|is not supported|not found)|unsupported model/i,
    message:
      "Codex cannot use this model. Set another model for the role; /model in `codex` lists them.",
  },
  {
    kind: "signed-out",
    text: /\b401\b|unauthorized|not logged in|codex login|(?:log|sign) in again|missing environment variable/i,
    message: "Codex is not signed in. Run `codex login`, or set CODEX_API_KEY for the daemon.",
  },
  {
    kind: "rate-limit",
    text: /\b429\b|rate.limit|too many requests/i,
    message:
      "OpenAI received too many requests in a short time. Run the agent again later, or lower agent.maxConcurrent and run `kuromajutsu reload`.",
  },
  {
    kind: "overloaded",
    text: /\b(?:503|529)\b|at capacity|overloaded|high demand/i,
    message:
      'OpenAI\'s servers are overloaded. Run the agent again later; `codex exec "hello"` shows whether they answer.',
  },
];

export function failureOfCodex(text: string, now: number): Diagnosis | undefined {
  const found = KINDS.find((kind) => kind.text.test(text));
  if (!found) return undefined;
  const resetsAt = found.kind === "quota" ? resetTimeIn(text, now) : null;
  return { message: found.message, failure: { kind: found.kind, resetsAt } };
}
