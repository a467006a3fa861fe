import type { Diagnosis } from "../../../app/ports/runner.ts";
import type { Failure } from "../../../domain/agents/runner.ts";

/** What the stream says about a failure, besides its text. */
export type ClaudeError = {
  readonly text: string;
  /** The HTTP status of the API's answer. */
  readonly status?: number | undefined;
  /** The CLI's own name of the failure. */
  readonly name?: string | undefined;
  /** When the limit of a plan ends, in milliseconds. */
  readonly resetsAt?: number | null;
};

/** The kinds, most specific first. A burst of requests and a used up plan both have the status 429. */
const KINDS: readonly {
  readonly kind: Failure["kind"];
  readonly text: RegExp;
  readonly statuses?: readonly number[];
  readonly names?: readonly string[];
  readonly message: string;
}[] = [
  {
    kind: "session-lost",
    text: /no conversation found with session id/i,
    message:
      "The conversation to continue does not exist any more. Run the agent again without it; `claude --resume` lists those that exist.",
  },
  {
    kind: "quota",
    text: /hit your .{0,40}limit|(?:usage|hour|weekly|session) limit|credit balance is too low|out of extra usage/i,
    names: ["usage_limit_reached", "billing_error"],
    message:
      "The limit of the Claude plan or credit is reached. Wait until it resets or set another runner; /usage in `claude` shows the limits.",
  },
  {
    kind: "model-unknown",
    text: /issue with the selected model|model_not_found/i,
    statuses: [404],
    names: ["model_not_found"],
    message:
      "Claude Code cannot use this model. Set another model for the role; /model in `claude` lists them.",
  },
  {
    kind: "signed-out",
    text: /not logged in|invalid api key|failed to authenticate|oauth token|please run \/login/i,
    statuses: [401, 403],
    names: ["authentication_failed", "oauth_org_not_allowed"],
    message:
      "Claude Code is not signed in. Run `claude auth login`, or set ANTHROPIC_API_KEY for the daemon.",
  },
  {
    kind: "rate-limit",
    text: /request rejected \(429\)|rate.limit/i,
    statuses: [429],
    names: ["rate_limit"],
    message:
      "Anthropic received too many requests in a short time. Run the agent again later, or lower agent.maxConcurrent and run `kuromajutsu reload`.",
  },
  {
    kind: "overloaded",
    text: /\b529\b|overloaded/i,
    statuses: [503, 529],
    names: ["overloaded"],
    message:
      'Anthropic\'s servers are overloaded. Run the agent again later; `claude -p "hello"` shows whether they answer.',
  },
];

export function failureOfClaude(error: ClaudeError): Diagnosis | undefined {
  const { status, name, text, resetsAt = null } = error;
  const found =
    KINDS.find(({ names }) => name !== undefined && names?.includes(name)) ??
    KINDS.find((kind) => kind.text.test(text)) ??
    KINDS.find(({ statuses }) => status !== undefined && statuses?.includes(status));
  return found && { message: found.message, failure: { kind: found.kind, resetsAt } };
}
