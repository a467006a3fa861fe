import type { Agent } from "../../domain/agents/agent.ts";
import type { RunnerEvent, RunnerId } from "../../domain/agents/runner.ts";
import type { AgentId } from "../../domain/ids.ts";

export type RunRequest = {
  readonly agentId: AgentId;
  readonly model: string;
  readonly prompt: string;
  readonly workingDirectory: string;
  readonly access: Agent["access"];
  /** A health check only wants an answer: the CLI gets no permission beyond its defaults. */
  readonly purpose?: "work" | "health-check";
  /** The CLI's own conversation to go on with; a runner that cannot begins a new one. */
  readonly resumeSession?: string | null;
};

export type RunnerCommand = {
  /** argv[0] is an absolute path. Never a secret, never the prompt. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
};

export type Runner = {
  readonly id: RunnerId;
  readonly stopSignal: "SIGTERM" | "SIGINT";
  /** Shown and used for built-in roles where the role's own model is meant for another runner. */
  readonly defaultModel: string | null;
  /** Vendor variables an agent of this runner may need; they pass the environment allow-list. */
  readonly vendorVariables: readonly string[];
  /** The installed CLI, looked up again on every call. No process is started. */
  detect(): Promise<{ readonly command: string } | undefined>;
  /** undefined: this CLI cannot list its models. */
  models(): Promise<readonly string[] | undefined>;
  /** `command` is what detect() answered. */
  command(request: RunRequest, command: string): RunnerCommand;
  /**
   * Cheap look at one line (without its newline): true when it is surely a text delta, which is
   * counted and, unless it is among the last of a slice, never parsed. In doubt: false.
   */
  isDelta(bytes: Uint8Array, start: number, end: number): boolean;
  /** Never throws: garbage gives undefined, an event nobody needs gives []. */
  parse(line: string): readonly RunnerEvent[] | undefined;
};
