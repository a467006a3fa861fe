import type { Agent } from "../../domain/agents/agent.ts";
import type { Failure, RunnerEvent, RunnerId } from "../../domain/agents/runner.ts";
import type { AgentId } from "../../domain/ids.ts";

export type RunRequest = {
  readonly agentId: AgentId;
  /** null: the CLI's own default, so no flag at all. */
  readonly model: string | null;
  readonly prompt: string;
  readonly workingDirectory: string;
  readonly access: Agent["access"];
  /** A health check needs an answer and a call of our MCP server, and no permissions beyond that. */
  readonly purpose?: "work" | "health-check";
  /** The CLI's conversation to continue; a runner that cannot continue one begins a new one. */
  readonly resumeSession?: string | null;
  /** A private folder of this run; `RunnerCommand.files` are written there. */
  readonly runDirectory: string;
  /** How the CLI starts our MCP server over stdio; null: it gets none. */
  readonly mcp: McpEntry | null;
};

export type McpEntry = {
  readonly name: string;
  /** A program by its absolute path, and its arguments. */
  readonly command: readonly string[];
  /** Names of the variables it needs. Their values are in the environment of the CLI. */
  readonly variables: readonly string[];
};

export type RunnerCommand = {
  /** argv[0] is an absolute path. Never a secret, never the prompt. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Written to the folder of the run, readable by the owner only. Never a secret. */
  readonly files?: readonly { readonly name: string; readonly content: string }[];
};

export type Runner = {
  readonly id: RunnerId;
  readonly stopSignal: "SIGTERM" | "SIGINT";
  /** Used for built-in roles, whose models are Cursor's; null: this runner takes those names. */
  readonly defaultModel: string | null;
  /** The CLI takes models that models() does not list, so the list cannot refuse one. */
  readonly takesOtherModels?: true;
  /** The CLI signs in to the vendor of each model, so one model may be signed out alone. */
  readonly signsInPerModel?: true;
  /** Vendor variables an agent of this runner may need; they pass the environment allow-list. */
  readonly vendorVariables: readonly string[];
  /**
   * true: the CLI has no option for the MCP servers of one run, so an agent reaches ours only through
   * an entry in the user's own configuration.
   */
  readonly usesOwnMcpEntry?: boolean;
  /** Whether a message can reach the model in the middle of a turn, through the inbox of the run. */
  readonly canSteer?: boolean;
  /** The name under which the CLI shows a tool of our MCP server to its model. */
  toolName(tool: string): string;
  /** Why a run without a result event failed, from the end of its stderr; undefined: unknown. */
  diagnose(stderr: string, exitCode: number | null): Diagnosis | undefined;
  /** The installed CLI, looked up again on every call. No process is started. */
  detect(): Promise<{ readonly command: string } | undefined>;
  /** The version of the installed CLI; undefined: it does not say, or it hangs. Always ends. */
  version(command: string): Promise<string | undefined>;
  /**
   * What must be done once before several runs begin at the same time. Called before each run, so it
   * remembers that it was done. Never rejects.
   */
  prepare?(command: string): Promise<void>;
  /** undefined: this CLI cannot list its models. */
  models(): Promise<readonly string[] | undefined>;
  /** `command` is the result of detect(). */
  command(request: RunRequest, command: string): RunnerCommand;
  /**
   * A cheap check of one line (without its newline): true only if it is certainly a text delta. Text
   * deltas are counted but not parsed, except the last ones of a slice.
   */
  isDelta(bytes: Uint8Array, start: number, end: number): boolean;
  /** Never throws: undefined for garbage, [] for an event that is not used. */
  parse(line: string): readonly RunnerEvent[] | undefined;
};

export type Diagnosis = {
  /** One or two sentences: what is wrong, and which command repairs it. */
  readonly message: string;
  readonly failure: Failure;
};
