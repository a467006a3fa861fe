export const RUNNER_IDS = [
  "cursor",
  "claude",
  "codex",
  "gemini",
  "opencode",
  "acp",
  "rehearsal",
] as const;
export type RunnerId = (typeof RUNNER_IDS)[number];

/** A runner of a fallback list: a rehearsal does no work, so it replaces no CLI. */
export type FallbackRunner = Exclude<RunnerId, "rehearsal">;

/** One runner, `auto` (the first of RUNNER_IDS that works), or a fallback list, best first. */
export type RunnerChoice = RunnerId | "auto" | readonly FallbackRunner[];

export type Usage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
};

/** What a call did to a file; `unknown`: the stream does not say whether it was new. */
export type FileChange = {
  readonly path: string;
  readonly change: "created" | "edited" | "deleted" | "unknown";
};

/**
 * What a CLI's figures count: the whole run, one step of it (steps are added up), or the whole
 * conversation including the runs that it continues.
 */
export type UsageScope = "run" | "step" | "session";

/** Failures that a person, a fallback runner or the dispatcher can do something about. */
export const FAILURE_KINDS = [
  "signed-out",
  /** The plan or the credit is used up until it resets. */
  "quota",
  /** Too many requests in a short time. */
  "rate-limit",
  "overloaded",
  /** The conversation to continue does not exist any more. */
  "session-lost",
  "directory-not-trusted",
  "model-unknown",
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

export type Failure = {
  readonly kind: FailureKind;
  /** When a quota or a rate limit ends, if the CLI says so. */
  readonly resetsAt: number | null;
};

/** The common form of the events of every CLI. */
export type RunnerEvent =
  | { readonly type: "session"; readonly sessionId: string; readonly model: string | null }
  | { readonly type: "delta"; readonly text: string }
  /** The whole text, instead of its deltas. Empty: the deltas so far are void. */
  | { readonly type: "message"; readonly text: string }
  /** The CLI has accepted the prompt. */
  | { readonly type: "user"; readonly at?: number }
  | {
      readonly type: "tool_started";
      readonly callId: string;
      readonly tool: string;
      /** Paths this call is going to write, where the stream says so. */
      readonly files?: readonly string[];
      /** The time in the CLI's stream, if it has one. */
      readonly at?: number;
    }
  | {
      readonly type: "tool_finished";
      readonly callId: string;
      /** Empty: the name that `tool_started` gave. */
      readonly tool: string;
      readonly ok: boolean;
      /** What this call wrote; empty: the files that `tool_started` named. */
      readonly files: readonly FileChange[];
      /** The beginning of its answer, as text. */
      readonly output?: string;
      readonly at?: number;
    }
  | {
      readonly type: "usage";
      readonly scope: UsageScope;
      readonly usage: Usage;
      /** In US dollars, where the CLI reports it. */
      readonly costUsd?: number;
    }
  /** The cost of the run so far, where the CLI reports it apart from the tokens. */
  | { readonly type: "cost"; readonly costUsd: number }
  /** Whether the CLI has connected to an MCP server. */
  | { readonly type: "mcp"; readonly server: string; readonly connected: boolean }
  /** A notification was passed to the model while it works. */
  | { readonly type: "steered"; readonly id: string }
  /** Something a person should know about the run. */
  | { readonly type: "warning"; readonly text: string }
  /**
   * A request to the model begins. The same id again means that the one before failed; another id
   * means that an end before it was none.
   */
  | { readonly type: "request"; readonly id: string }
  /** A request to the model failed and is sent again; the text written so far may be repeated. */
  | { readonly type: "retry"; readonly reason: string; readonly failure?: Failure }
  | {
      readonly type: "end";
      readonly ok: boolean;
      readonly text: string;
      readonly durationMs: number | null;
      readonly error: string | null;
      readonly failure?: Failure;
    };
