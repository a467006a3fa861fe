import type { Texts } from "../domain/locale.ts";
import type { DemoChoice } from "./demo.ts";

/**
 * The first line on the daemon's socket, written by the stdio shim and by commands. The shim loads
 * this file on every start, so it imports only types.
 */
export type McpHello = {
  readonly kind: "mcp";
  readonly version: string;
  readonly pid: number;
  readonly cwd: string;
  readonly token: string | null;
  /** Token of the person the client acts for; never set inside an agent. */
  readonly personToken?: string | null;
  /** Vendor keys of the client's environment; kept in the daemon's memory, never on disk. */
  readonly keys: Readonly<Record<string, string>>;
  /** The language that the client's variables ask for; older shims do not send it. */
  readonly locale?: "ja" | "en" | undefined;
};

/**
 * A command lends its vendor keys while this connection is open. The answer is a line with a
 * `KeyTicket`; the command's REST requests name the ticket, so they never contain a key.
 */
export type KeysHello = Pick<McpHello, "version" | "keys"> & { readonly kind: "keys" };

export type KeyTicket = { readonly ticket: string };

export type ControlHello = {
  readonly kind: "control";
  readonly version: string;
  readonly command: "status" | "stop" | "stop-agents" | "reload";
};

export type Hello = McpHello | KeysHello | ControlHello;

export type DaemonStatus = {
  readonly pid: number;
  readonly version: string;
  readonly url: string | null;
  readonly dataDir: string;
  readonly configPath: string | null;
  readonly startedAt: string;
  readonly agents: { readonly waiting: number; readonly live: number };
  /** `approvals`: number of pending approvals. */
  readonly tasks: { readonly unfinished: number; readonly approvals: number };
  /** The database cannot be read now, so the numbers of agents and tasks are not known. */
  readonly storeProblem?: Texts;
  readonly clients: number;
  /** How many servers share the database, if there are several. */
  readonly servers?: number;
  /** How many jobs failed too often and were given up, if there are any. */
  readonly deadJobs?: number;
  /** Addresses for people on other machines; none while only this machine can connect. */
  readonly addresses?: readonly string[];
  /** People have to sign in. */
  readonly signIn?: boolean;
  /** null: the log goes to the terminal or to the program that started the daemon. */
  readonly logFile?: string | null;
  /** This is the daemon of `kuromajutsu demo`, and the story that was named. */
  readonly demo?: DemoChoice | undefined;
  /** Upstream servers that cannot be used now. */
  readonly failedServers?: readonly { readonly name: string; readonly error: string | null }[];
  /** The parts of the configuration file that are not used, because the file is not trusted. */
  readonly untrusted?: {
    readonly path: string;
    readonly notUsed: readonly string[];
    readonly problem: string | null;
    /** The command that shows the file and asks for trust. */
    readonly command: string;
  } | null;
  /** Answer to `reload`: why the configuration was not applied; null: it was applied. */
  readonly notReloaded?: string | null;
  /** Changed settings that take effect after a restart. */
  readonly waitingForRestart?: readonly string[];
};

/** Variables that authenticate an agent CLI. No others are sent from a client's environment. */
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

/** The vendor keys among the variables of a client. */
export function vendorKeysIn(
  variables: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of VENDOR_VARIABLES) {
    const value = variables[name];
    if (value) found[name] = value;
  }
  return found;
}
