import { basename } from "node:path";
import { RequestError } from "@agentclientprotocol/sdk";
import { fieldsOf, textOf } from "../base/narrow.ts";
import { resetTimeIn } from "../base/reset-time.ts";
import type { Failure, FailureKind, RunnerId } from "../domain/agents/runner.ts";
import { CLI_FACTS } from "../domain/health/cli-facts.ts";

export type Described = { readonly error: string; readonly failure?: Failure };

/** The session to continue does not exist any more. */
export class SessionLost extends Error {}

/** JSON-RPC error code of ACP: the CLI is not signed in. */
const AUTH_REQUIRED = -32_000;

/** ACP has no codes for these, so the words of the CLIs decide. The most specific kind comes first. */
const KINDS: readonly {
  readonly kind: FailureKind;
  readonly text: RegExp;
  /** The JSON-RPC code. Gemini has the HTTP status there. */
  readonly codes: readonly number[];
  readonly advice: (signIn: string) => string;
}[] = [
  {
    kind: "quota",
    text: /usage limit|hit your .{0,40}limit|daily quota|current quota|insufficient[_ ](?:quota|credit|balance)|out of credits|credit balance/i,
    codes: [402],
    advice: () =>
      "The plan or the credit is used up. Wait until it resets, or set another runner or model for the role.",
  },
  {
    kind: "signed-out",
    text: /\b401\b|unauthorized|unauthenticated|not logged in|failed to authenticate|(?:invalid|incorrect|missing).{0,20}api.?key|api.?key.{0,20}(?:invalid|not valid|missing)|ProviderAuthError/i,
    codes: [AUTH_REQUIRED, 401, 403],
    advice: (signIn) => `The CLI is not signed in. Run \`${signIn}\` in a terminal and sign in.`,
  },
  {
    kind: "rate-limit",
    text: /\b429\b|rate.?limit|too many requests|resource_exhausted/i,
    codes: [429],
    advice: () =>
      "The model got too many requests in a short time. Run fewer agents at once (`agent.maxConcurrent`), or try again in a minute.",
  },
  {
    kind: "overloaded",
    text: /\b(?:503|529)\b|overloaded|unavailable|at capacity|high demand/i,
    codes: [503, 529],
    advice: () => "The model is overloaded. Try again later, or set another model for the role.",
  },
];

/** The runner that drives the same CLI without ACP. */
const SAME_CLI: Readonly<Record<string, RunnerId>> = {
  gemini: "gemini",
  opencode: "opencode",
  "claude-agent-acp": "claude",
  "codex-acp": "codex",
};

/** Adds what to do about it, if the words of the CLI tell the kind of the failure. */
export function describeFailure(said: string, program: string, code?: number): Described {
  const found =
    KINDS.find(({ codes }) => code === AUTH_REQUIRED && codes.includes(code)) ??
    KINDS.find(({ text }) => text.test(said)) ??
    KINDS.find(({ codes }) => code !== undefined && codes.includes(code));
  if (!found) return { error: said };
  const name = basename(program);
  const runner = SAME_CLI[name];
  const signIn = (runner && CLI_FACTS[runner]?.signIn) ?? name;
  const resetsAt = found.kind === "quota" ? resetTimeIn(said, Date.now()) : null;
  return {
    error: `${found.advice(signIn)} The CLI said: ${said}`,
    failure: { kind: found.kind, resetsAt },
  };
}

export function describeError(error: unknown, program: string): Described {
  if (error instanceof SessionLost) {
    return { error: error.message, failure: { kind: "session-lost", resetsAt: null } };
  }
  if (error instanceof RequestError) {
    const { details, message, errorName } = fieldsOf(error.data);
    const said = [error.message, textOf(details) ?? textOf(message), textOf(errorName)];
    return describeFailure(said.filter(Boolean).join(": "), program, error.code);
  }
  return { error: error instanceof Error ? error.message : String(error) };
}
