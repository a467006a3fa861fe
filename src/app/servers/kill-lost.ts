import type { Agent } from "../../domain/agents/agent.ts";
import { signalFor } from "../agents/stop-agent.ts";
import type { Core } from "../core.ts";

/**
 * Ends processes of agents that other servers have recorded as lost while this one was cut off. They
 * can write nothing more, and would only cost tokens.
 */
export async function killLost(core: Core, since: "start" | "running"): Promise<void> {
  for (const id of await core.supervisor.listSpooled()) {
    const agent = await core.store.getAgent(id);
    if (!agent || !isLostHere(core, agent)) continue;
    if (since === "start") await adopt(core, agent);
    core.supervisor.stop(agent.id, signalFor(core, agent));
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

function isLostHere({ serverId }: Core, agent: Agent): boolean {
  return serverId !== null && agent.workerId === serverId && agent.status === "lost";
}
