import type { Access } from "../../domain/agents/agent.ts";
import type { RunFailure } from "../../domain/health/runner-check.ts";
import type { McpEntry, Runner } from "./runner.ts";

export type Question = {
  readonly runner: Pick<Runner, "command" | "parse" | "stopSignal" | "diagnose">;
  /** The result of detect(). */
  readonly executable: string;
  readonly model: string | null;
  readonly prompt: string;
  readonly access: Access;
  /** Our MCP server; the token that it needs is in `env`. */
  readonly mcp: McpEntry;
  readonly env: Readonly<Record<string, string>>;
  /** Secrets to redact from the reason, in case the CLI prints them. */
  readonly secrets: readonly string[];
  readonly timeoutMs: number;
};

export type ProbeAnswer = {
  readonly ok: boolean;
  /** The reason of a failure, or a remark on a passed check. */
  readonly reason: string | null;
  readonly responseMs: number | null;
  readonly failure: RunFailure | null;
  /** When a quota or a rate limit ends, if the CLI says so. */
  readonly resetsAt?: number | null;
};

export type HealthProbe = {
  /**
   * Asks the CLI in an empty directory. Never rejects, always ends (soon after the signal or the
   * timeout), and leaves no process behind.
   */
  ask(question: Question, signal: AbortSignal): Promise<ProbeAnswer>;
};
