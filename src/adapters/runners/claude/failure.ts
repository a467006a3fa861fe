import type { Diagnosis } from "../../../app/ports/runner.ts";
import { RUNNER_FAILURE_TEXTS } from "../../../contract/runner-failure-texts.ts";

const TEXTS = RUNNER_FAILURE_TEXTS.claude;

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
  readonly kind: keyof typeof TEXTS;
  readonly text: RegExp;
  readonly statuses?: readonly number[];
  readonly names?: readonly string[];
}[] = [
  {
    kind: "session-lost",
    text: /no conversation found with session id/i,
  },
  {
    kind: "quota",
    text: /hit your .{0,40}limit|(?:usage|hour|weekly|session) limit|credit balance is too low|out of extra usage/i,
    names: ["usage_limit_reached", "billing_error"],
  },
  {
    kind: "model-unknown",
    text: /issue with the selected model|model_not_found/i,
    statuses: [404],
    names: ["model_not_found"],
  },
  {
    kind: "signed-out",
    text: /not logged in|invalid api key|failed to authenticate|oauth token|please run \/login/i,
    statuses: [401, 403],
    names: ["authentication_failed", "oauth_org_not_allowed"],
  },
  {
    kind: "rate-limit",
    text: /request rejected \(429\)|rate.limit/i,
    statuses: [429],
    names: ["rate_limit"],
  },
  {
    kind: "overloaded",
    text: /\b529\b|overloaded/i,
    statuses: [503, 529],
    names: ["overloaded"],
  },
];

export function failureOfClaude(error: ClaudeError): Diagnosis | undefined {
  const { status, name, text, resetsAt = null } = error;
  const found =
    KINDS.find(({ names }) => name !== undefined && names?.includes(name)) ??
    KINDS.find((kind) => kind.text.test(text)) ??
    KINDS.find(({ statuses }) => status !== undefined && statuses?.includes(status));
  return found && { message: TEXTS[found.kind].en, failure: { kind: found.kind, resetsAt } };
}
