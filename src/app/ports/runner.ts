import type { Agent } from "../../domain/agents/agent.ts";
import type { RunnerEvent, RunnerId } from "../../domain/agents/runner.ts";
import type { AgentId } from "../../domain/ids.ts";

export type RunRequest = {
  readonly agentId: AgentId;
  readonly model: string;
  readonly prompt: string;
  readonly workingDirectory: string;
  readonly access: Agent["access"];
  /** A health check needs only an answer, so the CLI gets no permissions beyond its defaults. */
  readonly purpose?: "work" | "health-check";
  /** The CLI's conversation to continue; a runner that cannot continue one begins a new one. */
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
  /** Used for built-in roles whose model belongs to another runner. */
  readonly defaultModel: string | null;
  /** Vendor variables an agent of this runner may need; they pass the environment allow-list. */
  readonly vendorVariables: readonly string[];
  /** The installed CLI, looked up again on every call. No process is started. */
  detect(): Promise<{ readonly command: string } | undefined>;
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
