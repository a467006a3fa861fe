import type { Agent } from "./agent.ts";
import type { RunnerId } from "./runner.ts";

/** `connection-failed`: the CLI itself says so. */
export const DEGRADED_REASONS = ["not-connected", "connection-failed"] as const;
export type DegradedReason = (typeof DEGRADED_REASONS)[number];

/** Whether an agent runs that should have connected to our MCP server and has not. */
export function isHelloDue(
  agent: Pick<Agent, "runner" | "process" | "helloAt" | "reportedAt">,
): boolean {
  const { runner, process, helloAt, reportedAt } = agent;
  return runner !== "rehearsal" && process === "alive" && helloAt === null && reportedAt === null;
}

/** The reason to show; null: the agent has connected, has reported or does not run. */
export function degradedReason(agent: Agent): DegradedReason | null {
  return isHelloDue(agent) ? agent.degraded : null;
}

/** What is wrong, and what to do about it. */
export function degradedMessage(runner: RunnerId, reason: DegradedReason): string {
  const what =
    reason === "not-connected"
      ? "It runs, but has not connected to Kuromajutsu"
      : "It runs, but its CLI could not connect to Kuromajutsu";
  return `${what}: it cannot report or be stopped politely. ${hintFor(runner)}`;
}

/** Cursor takes MCP servers only from its settings; the other CLIs get ours with each run. */
function hintFor(runner: RunnerId): string {
  return runner === "cursor"
    ? "Cursor needs an MCP entry for Kuromajutsu: run `kuromajutsu init`."
    : "Run `kuromajutsu doctor` to find out why.";
}
