/** Limit for one message of an upstream server, so for a whole answer. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** Recursive code could overflow the stack on deeper values. */
export const MAX_DEPTH = 200;
export const MAX_TOOLS = 500;
export const MAX_LIST_PAGES = 64;
export const MAX_NAME_CHARS = 200;
export const MAX_TITLE_CHARS = 200;
export const MAX_DESCRIPTION_CHARS = 8 * 1024;
/** Limit for a description or title inside a schema, for example of a parameter. */
export const MAX_PARAMETER_CHARS = 4 * 1024;
export const MAX_SCHEMA_CHARS = 64 * 1024;
export const MAX_ERROR_CHARS = 500;

export type UpstreamLimits = {
  /** Time limit from the start of a server until its tools are known. */
  readonly startMs: number;
  /** How long a call waits for a server that is just starting. */
  readonly patienceMs: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** A server that ran this long was stable: the back-off starts again. */
  readonly steadyMs: number;
  /** HTTP servers are polled: not all announce changed tools, and none announces its end. */
  readonly lookEveryMs: number;
  /** Time to exit after stdin was closed, and again after SIGTERM. */
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
