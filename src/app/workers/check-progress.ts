import { progressShape } from "../../contract/workers/progress.ts";
import { NO_PROGRESS, type AgentProgress } from "../../domain/agents/progress.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";

/** A progress as a worker sent it, made fit for the store. A wrong kind of value is refused. */
export function checkProgress(sent: unknown): AgentProgress {
  const { success, data, error } = progressShape.safeParse(sent);
  if (success) return data;
  const [first] = error.issues;
  throw new Error(
    `The progress has a wrong "${first?.path.join(".") ?? ""}": ${first?.message ?? "unknown"}.`,
  );
}

/**
 * A stored progress. Servers of earlier versions stored what workers sent with fewer checks; what
 * cannot be used is left out, so that the agent can be settled.
 */
export function usableProgress(
  { log }: Pick<Core, "log">,
  agentId: AgentId,
  stored: AgentProgress,
): AgentProgress {
  try {
    return checkProgress(stored);
  } catch (error) {
    log.warn("The stored progress of an agent cannot be used.", { agentId, error: String(error) });
    return NO_PROGRESS;
  }
}
