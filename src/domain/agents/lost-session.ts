import type { Agent } from "./agent.ts";
import { endEventOf } from "./end-event.ts";
import { type AgentProgress, callsOf } from "./progress.ts";
import type { Failure } from "./runner.ts";

/**
 * Whether the conversation that an agent was to continue is gone: its run failed before the model
 * said or did anything. Another known failure (signed out, quota) or a retried request has nothing
 * to do with the conversation, which is then kept.
 */
export function hasLostSession(
  agent: Pick<Agent, "resumeSession" | "status" | "stopReason">,
  progress: AgentProgress,
  exitCode: number | null,
  failure: Failure | undefined,
): boolean {
  if (agent.resumeSession === null || agent.status !== "running") return false;
  if (agent.stopReason !== null || endEventOf(agent, progress, exitCode) !== "failed") return false;
  if (failure) return failure.kind === "session-lost";
  return callsOf(progress) === 0 && progress.retries.count === 0 && !hasSpoken(progress);
}

/** The text of a failed end is the CLI's, not the model's. */
function hasSpoken({ lastMessage, end }: AgentProgress): boolean {
  return lastMessage !== "" && lastMessage !== end?.text;
}
