import type { Access } from "../../domain/agents/agent.ts";
import type { Runner } from "./runner.ts";

export type Question = {
  readonly runner: Pick<Runner, "command" | "parse" | "stopSignal">;
  /** What detect() answered. */
  readonly executable: string;
  readonly model: string;
  readonly prompt: string;
  readonly access: Access;
  readonly env: Readonly<Record<string, string>>;
  /** Values that must not come back in a reason, should the CLI say them. */
  readonly secrets: readonly string[];
  readonly timeoutMs: number;
};

export type ProbeAnswer = {
  readonly ok: boolean;
  /** Why not; or, beside a pass, what was odd. */
  readonly reason: string | null;
  readonly responseMs: number | null;
};

export type HealthProbe = {
  /**
   * Asks the CLI itself, in a directory that holds nothing. Never rejects, always ends (soon after
   * the signal or the timeout), and leaves no process behind.
   */
  ask(question: Question, signal: AbortSignal): Promise<ProbeAnswer>;
};
