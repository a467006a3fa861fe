import type { Agent } from "../../domain/agents/agent.ts";
import { signalFor } from "../agents/stop-agent.ts";
import type { Core } from "../core.ts";

const PAGE = 500;

/**
 * Ends processes of agents that other servers have settled while this one was cut off. They can write
 * nothing more, and would only cost tokens.
 */
export async function killLost(core: Core, since: "start" | "running"): Promise<void> {
  const ids = await core.supervisor.listSpooled();
  for (let from = 0; from < ids.length; from += PAGE) {
    for (const agent of await core.store.getAgents(ids.slice(from, from + PAGE))) {
      if (!isSettledElsewhere(core, agent)) continue;
      if (since === "start") await adopt(core, agent);
      core.supervisor.stop(agent.id, signalFor(core, agent));
    }
  }
}

/** An earlier process of this server started it. */
async function adopt(core: Core, agent: Agent): Promise<void> {
  const { pid, pidStart, bootId } = agent;
  const isKnown = pid !== null && pid !== 0 && pidStart !== null && bootId !== null;
  core.supervisor.adopt({
    agentId: agent.id,
    attempt: agent.attempt,
    runner: agent.runner,
    progress: await core.store.getProgress(agent.id),
    startedAt: agent.startedAt,
    workingDirectory: agent.workingDirectory,
    process: isKnown ? { pid, start: pidStart, bootId } : null,
  });
}

/** Without an exit code, no server has seen the end of its process. */
function isSettledElsewhere({ serverId }: Core, agent: Agent): boolean {
  const { workerId, process, exitCode, pid } = agent;
  const isUnseen = process === "ended" && exitCode === null && pid !== null;
  return serverId !== null && workerId === serverId && isUnseen;
}
