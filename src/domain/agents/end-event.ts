import type { Agent, AgentEvent } from "./agent.ts";
import type { AgentProgress } from "./progress.ts";

/**
 * The event that the end of a process causes. `succeeded` needs exit code 0 and a success event in
 * the stream, because several CLIs exit with 0 after a failure. For a process that was stopped
 * because it did not exit after its end event, that event decides.
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
    case "retry_limit":
    case "retry_time":
    case "event_limit":
    case "tool_call_limit":
      return "failed";
    case "lingered":
      return progress.end?.ok ? "succeeded" : "failed";
    case null:
      break;
  }
  if (exitCode === null) return "lost";
  return exitCode === 0 && progress.end?.ok === true ? "succeeded" : "failed";
}
