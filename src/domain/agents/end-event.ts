import type { Agent, AgentEvent } from "./agent.ts";
import type { AgentProgress } from "./progress.ts";

/**
 * What the end of a process means. Completed needs exit code 0 *and* a success event in the
 * stream: several CLIs exit 0 after failing. A process that had said it was done and was then
 * ended because it lingered is judged by what it said.
 */
export function endEventOf(
  agent: Pick<Agent, "stopReason">,
  progress: AgentProgress,
  exitCode: number | null,
): AgentEvent {
  switch (agent.stopReason) {
    case "timeout":
      return "timed_out";
    case "cancelled":
    case "interrupted":
      return "cancelled";
    case "spool_limit":
      return "failed";
    case "lingered":
      return progress.end?.ok ? "succeeded" : "failed";
    case null:
      break;
  }
  if (exitCode === null) return "lost";
  return exitCode === 0 && progress.end?.ok === true ? "succeeded" : "failed";
}
