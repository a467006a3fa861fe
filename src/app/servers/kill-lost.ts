import type { Agent } from "../../domain/agents/agent.ts";
import { NO_PROGRESS, type AgentProgress } from "../../domain/agents/progress.ts";
import { signalFor } from "../agents/stop-agent.ts";
import type { Core } from "../core.ts";

const PAGE = 500;

/**
 * Ends processes of agents that other servers have settled, or started again, while this one was cut
 * off. They can write nothing more, and would only cost tokens.
 */
export async function killLost(core: Core, since: "start" | "running"): Promise<void> {
  const ids = await core.supervisor.listSpooled();
  for (let from = 0; from < ids.length; from += PAGE) {
    for (const agent of await core.store.getAgents(ids.slice(from, from + PAGE))) {
      if (isSettledElsewhere(core, agent)) {
        if (since === "start") adopt(core, agent, await core.store.getProgress(agent.id));
        core.supervisor.stop(agent.id, signalFor(core, agent));
      }
      for (const attempt of attemptsGivenUp(core, agent)) {
        if (since === "start") adopt(core, { ...agent, ...UNKNOWN, attempt }, NO_PROGRESS);
        core.supervisor.stop(agent.id, signalFor(core, agent), attempt);
      }
    }
  }
}

/** The row has the process of the newest attempt only. */
const UNKNOWN = { pid: null, pidStart: null, bootId: null, startedAt: null };

/** An earlier process of this server started it. */
export function adopt(core: Core, agent: Agent, progress: AgentProgress): void {
  if (core.supervisor.has(agent.id, agent.attempt)) return;
  const { pid, pidStart, bootId } = agent;
  const isKnown = pid !== null && pid !== 0 && pidStart !== null && bootId !== null;
  core.supervisor.adopt({
    agentId: agent.id,
    attempt: agent.attempt,
    runner: agent.runner,
    progress,
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

/** Attempts that may run here although the agent went back to the queue. */
function attemptsGivenUp({ serverId }: Core, agent: Agent): readonly number[] {
  const { workerId, process, attempt, startedAt } = agent;
  if (serverId === null) return [];
  const isHere = workerId === serverId;
  // An agent that has ended without an owner ran before there were several servers.
  const isOver = process === "ended" && (isHere || (workerId === null && startedAt !== null));
  if (isOver) return [];
  // A host looks after the newest attempt, unless the agent is in the queue.
  const isLookedAfter = workerId !== null && process !== "waiting";
  return Array.from({ length: isLookedAfter ? attempt - 1 : attempt }, (_, index) => index + 1);
}
