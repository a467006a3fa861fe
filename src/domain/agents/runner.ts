export const RUNNER_IDS = ["cursor", "claude", "codex", "gemini", "opencode", "rehearsal"] as const;
export type RunnerId = (typeof RUNNER_IDS)[number];

export type Usage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
};

/** The common form of the events of every CLI. */
export type RunnerEvent =
  | { readonly type: "session"; readonly sessionId: string; readonly model: string | null }
  | { readonly type: "delta"; readonly text: string }
  | { readonly type: "message"; readonly text: string }
  /** The CLI has accepted the prompt. */
  | { readonly type: "user"; readonly at?: number }
  | {
      readonly type: "tool_started";
      readonly callId: string;
      readonly tool: string;
      /** The time in the CLI's stream, if it has one. */
      readonly at?: number;
    }
  | {
      readonly type: "tool_finished";
      readonly callId: string;
      readonly tool: string;
      readonly ok: boolean;
      /** Paths this call wrote. The observer looks at each file to decide whether it is new. */
      readonly files: readonly string[];
      /** The beginning of its answer, as text. */
      readonly output?: string;
      readonly at?: number;
    }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "retry"; readonly reason: string }
  | {
      readonly type: "end";
      readonly ok: boolean;
      readonly text: string;
      readonly durationMs: number | null;
      readonly error: string | null;
    };
