export const RUNNER_IDS = ["cursor", "claude", "codex", "gemini", "opencode", "rehearsal"] as const;
export type RunnerId = (typeof RUNNER_IDS)[number];

export type Usage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
};

/** What every CLI's stream is turned into. */
export type RunnerEvent =
  | { readonly type: "session"; readonly sessionId: string; readonly model: string | null }
  | { readonly type: "delta"; readonly text: string }
  | { readonly type: "message"; readonly text: string }
  /** The CLI has taken the prompt. */
  | { readonly type: "user"; readonly at?: number }
  | {
      readonly type: "tool_started";
      readonly callId: string;
      readonly tool: string;
      /** By the CLI's own clock, where its stream says. */
      readonly at?: number;
    }
  | {
      readonly type: "tool_finished";
      readonly callId: string;
      readonly tool: string;
      readonly ok: boolean;
      /** Paths this call wrote. Whether the file is new is decided by looking at the file. */
      readonly files: readonly string[];
      /** The beginning of what it answered, as text. */
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
