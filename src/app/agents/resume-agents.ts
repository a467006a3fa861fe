import type { Agent } from "../../domain/agents/agent.ts";
import type { Core } from "../core.ts";
import { watchRetries } from "./bound-agent.ts";
import { signalFor } from "./stop-agent.ts";
import { watchDeadlines } from "./watch-deadlines.ts";

/** After a restart: supervises every agent that an earlier daemon of this server started. */
export async function resumeAgents(core: Core): Promise<number> {
  const agents = await core.store.listLiveAgents(core.serverId);
  for (const agent of agents) {
    if (!core.runners.has(agent.runner)) {
      core.log.error(
        "This version does not know the runner of a live agent; the agent is not supervised.",
        {
          agentId: agent.id,
          runner: agent.runner,
        },
      );
      continue;
    }
    const progress = await core.store.getProgress(agent.id);
    core.supervisor.adopt({
      agentId: agent.id,
      attempt: agent.attempt,
      runner: agent.runner,
      progress,
      startedAt: agent.startedAt,
      workingDirectory: agent.workingDirectory,
      process: processOf(agent),
    });
    watchDeadlines(core, agent, progress.end !== null || agent.reportedAt !== null);
    watchRetries(core, agent, progress);
    // Read again: a stop requested before the adoption had no process to signal.
    const now = await core.store.getAgent(agent.id);
    if (now && now.stopReason !== null) core.supervisor.stop(agent.id, signalFor(core, agent));
  }
  core.dispatchSoon();
  return agents.length;
}

function processOf({ pid, pidStart, bootId }: Agent) {
  return pid === null || pidStart === null || bootId === null
    ? null
    : { pid, start: pidStart, bootId };
}
