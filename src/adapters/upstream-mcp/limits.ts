/** One message of an upstream server, so the whole of an answer. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** Code that walks through deeper values could run out of stack. */
export const MAX_DEPTH = 200;
export const MAX_TOOLS = 500;
export const MAX_LIST_PAGES = 64;
export const MAX_NAME_CHARS = 200;
export const MAX_TITLE_CHARS = 200;
export const MAX_DESCRIPTION_CHARS = 8 * 1024;
/** A description or title inside a schema: of a parameter, for example. */
export const MAX_PARAMETER_CHARS = 4 * 1024;
export const MAX_SCHEMA_CHARS = 64 * 1024;
export const MAX_ERROR_CHARS = 500;

export type UpstreamLimits = {
  /** From the start of a server until its tools are known. */
  readonly startMs: number;
  /** How long a call waits for a server that is just starting. */
  readonly patienceMs: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** A server that stayed this long is not one that crashes at once. */
  readonly steadyMs: number;
  /** HTTP servers cannot always tell that their tools have changed, or that they are gone. */
  readonly lookEveryMs: number;
  /** What a program gets to end after its stdin was closed, and again after SIGTERM. */
  readonly graceMs: number;
};

export const DEFAULT_LIMITS: UpstreamLimits = {
  // The first start of `npx something` downloads it.
  startMs: 60_000,
  patienceMs: 5_000,
  firstPauseMs: 500,
  longestPauseMs: 30_000,
  steadyMs: 30_000,
  lookEveryMs: 60_000,
  graceMs: 1_500,
};
