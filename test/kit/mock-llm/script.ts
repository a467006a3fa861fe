/** The agent CLIs that talk to the mock LLM. Each uses another API, so a request tells its CLI. */
export const CLIS = ["claude", "codex", "gemini", "opencode"] as const;
export type Cli = (typeof CLIS)[number];

/** A conversation as the model sees it, in the same form for every API. */
export type Turn = {
  readonly cli: Cli;
  readonly model: string;
  readonly system: string;
  /** Every text with the role of the user, oldest first; CLIs add texts of their own. */
  readonly users: readonly string[];
  /** Our tools by their plain names. A tool that the CLI defers is not in the list. */
  readonly tools: readonly string[];
  /** The calls of the model so far, oldest first, without those that the kit adds by itself. */
  readonly results: readonly ToolResult[];
};

export type ToolResult = {
  /** Our tool by its plain name; a tool of the CLI as `write`, `edit` or `shell`. */
  readonly tool: string;
  /** The whole answer as the model sees it; null: the CLI sent none. */
  readonly text: string | null;
};

/** What the model does next. Several actions are one answer of the model. */
export type Action =
  | { readonly say: string }
  /** Calls a tool of our MCP server by its plain name. */
  | { readonly call: string; readonly input?: Record<string, unknown> }
  | { readonly write: string; readonly content: string }
  | { readonly edit: string; readonly from: string; readonly to: string }
  | { readonly shell: string }
  /** `resetsAt`: when the plan can be used again, in seconds since 1970; RESETS_AT unless told. */
  | { readonly fail: Fault; readonly resetsAt?: number };

/**
 * Instead of an answer: an HTTP status, a stream that ends in the middle, or the vendor's message for
 * a plan that is used up until RESETS_AT.
 */
export type Fault = 400 | 401 | 429 | 500 | 529 | "cut" | "quota";

export type Script = (turn: Turn) => readonly Action[] | Promise<readonly Action[]>;

/** The quota of the mock plan resets at this time, in seconds since 1970. */
export const RESETS_AT = 1_900_000_000;

/** Every answer costs these tokens. `input` is without the cached tokens. */
export const TOKENS = { input: 1_000, output: 50, cacheRead: 200 } as const;
/** Only Anthropic reports tokens that were written to the cache. */
export const CLAUDE_CACHE_WRITE = 30;
