import { fieldsOf, textOf } from "../base/narrow.ts";
import type { FailureKind } from "../domain/agents/runner.ts";

/**
 * An extension of the protocol that claude-agent-acp and codex-acp share. With it they report retries,
 * and Codex does not end a failed turn like a successful one.
 */
export const SESSION_FAILURES = {
  jetbrains: { air: { version: 1, capabilities: ["sessionFailure"] } },
};

type SessionFailure = {
  readonly said: string;
  /** true: the turn goes on. */
  readonly isRetry: boolean;
  /** false: a warning that is about no failed request. */
  readonly isError: boolean;
  readonly kind: FailureKind | undefined;
};

const KINDS: Readonly<Record<string, FailureKind>> = {
  limit: "rate-limit",
  access: "signed-out",
};

/** What the `_meta` of an update or of an answer says about a failure. */
export function sessionFailureIn(meta: unknown): SessionFailure | undefined {
  const air = fieldsOf(fieldsOf(fieldsOf(meta).jetbrains).air);
  const { title, details, severity, category } = fieldsOf(air.sessionFailure);
  const said = [textOf(title), textOf(details)].filter(Boolean).join(": ");
  if (said === "") return undefined;
  return {
    said,
    isRetry: severity === "warning" && /retry|reconnect/i.test(said),
    isError: severity === "error",
    kind: KINDS[textOf(category) ?? ""],
  };
}
