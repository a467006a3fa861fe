import type { Agent } from "../../domain/agents/agent.ts";
import type { Core } from "../core.ts";
import { signalFor } from "./stop-agent.ts";
import { watchDeadlines } from "./watch-deadlines.ts";

/** After a start of the daemon: looks after every agent an earlier daemon had started. */
export async function resumeAgents(core: Core): Promise<number> {
  const agents = await core.store.listLiveAgents();
  for (const agent of agents) {
    if (!core.runners.has(agent.runner)) {
      core.log.error("An agent runs with a runner this version does not know; it is left alone.", {
        agentId: agent.id,
        runner: agent.runner,
      });
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
    // Asked again: the doors are open, and a stop before the adoption reached nobody.
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
