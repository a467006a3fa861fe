import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";

/**
 * Frees the slot, keys and calls of a settled agent in the memory of every server. What one server
 * must do is a job: `after-agent-settled.ts`.
 */
export function forgetSettled(core: Core): () => void {
  function forget(agentId: AgentId): void {
    core.deadlines.clear(agentId);
    core.clientKeys.forget(agentId);
    core.calls.forget(agentId);
    // The caller is gone; without this its open calls would not be shown as lost.
    for (const { abort } of core.calls.ofAgents(new Set([agentId]))) abort.abort();
  }
  return core.events.on(["agent:completed"], ({ agentId }) => {
    forget(agentId);
    core.dispatchSoon();
  });
}
