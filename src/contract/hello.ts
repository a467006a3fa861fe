/**
 * The first line on the daemon's socket. Written by the stdio shim and by commands, read by the
 * daemon. The shim loads this file on every start, so it imports nothing.
 */
export type McpHello = {
  readonly kind: "mcp";
  readonly version: string;
  readonly pid: number;
  readonly cwd: string;
  readonly token: string | null;
  /** A person's, for who acts in their name; never of somebody inside an agent. */
  readonly personToken?: string | null;
  /** Vendor keys only the client has; kept in the daemon's memory, never on disk. */
  readonly keys: Readonly<Record<string, string>>;
};

export type ControlHello = {
  readonly kind: "control";
  readonly version: string;
  readonly command: "status" | "stop" | "stop-agents" | "reload";
};

export type Hello = McpHello | ControlHello;

export type DaemonStatus = {
  readonly pid: number;
  readonly version: string;
  readonly url: string | null;
  readonly dataDir: string;
  readonly configPath: string | null;
  readonly startedAt: string;
  readonly agents: { readonly waiting: number; readonly live: number };
  /** `approvals`: what people have not decided yet. */
  readonly tasks: { readonly unfinished: number; readonly approvals: number };
  readonly clients: number;
  /** What of the configuration file is not used, because the file is not trusted. */
  readonly untrusted?: {
    readonly path: string;
    readonly notUsed: readonly string[];
    readonly problem: string | null;
    /** What to type to look at it and to trust it. */
    readonly command: string;
  } | null;
  /** Answer to `reload`: why the configuration was not taken over; null: it was. */
  readonly notReloaded?: string | null;
  /** Settings that were changed and are in use after a restart. */
  readonly waitingForRestart?: readonly string[];
};

/** Variables that sign an agent CLI in. Nothing else of a client's environment leaves it. */
export const VENDOR_VARIABLES: readonly string[] = [
  "CURSOR_API_KEY",
  "CURSOR_AUTH_TOKEN",
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "OPENAI_API_KEY",
  "CODEX_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "OPENCODE_API_KEY",
];
