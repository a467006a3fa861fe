import type { Agent, StopReason } from "../../domain/agents/agent.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import { stopAgent } from "./stop-agent.ts";

/**
 * Stops an agent that exceeds its time limit, and a process that stays after the agent's report or
 * last event (some CLIs never exit).
 */
export function watchDeadlines(core: Core, agent: Agent, finished: boolean): void {
  if (agent.timeoutMs !== null && agent.startedAt !== null) {
    core.deadlines.set(agent.id, "timeout", agent.startedAt + agent.timeoutMs, () =>
      stopAgentLater(core, agent, "timeout"),
    );
  }
  if (finished) {
    core.deadlines.set(agent.id, "linger", core.clock.now() + core.settings.lingerMs, () =>
      stopAgentLater(core, agent, "lingered"),
    );
  }
}

/** An end may be taken back: the last step of OpenCode is only known when no other follows it. */
async function isFinished(core: Core, agentId: AgentId): Promise<boolean> {
  const agent = await core.store.getAgent(agentId);
  return agent?.reportedAt !== null || (await core.store.getProgress(agentId)).end !== null;
}

async function stopAtDeadline(core: Core, agentId: AgentId, reason: StopReason): Promise<void> {
  if (reason === "lingered" && !(await isFinished(core, agentId))) return;
  await stopAgent(core, agentId, reason);
}

export function stopAgentLater(core: Core, agent: Agent, reason: StopReason): void {
  stopAtDeadline(core, agent.id, reason).catch((error: unknown) => {
    core.log.error("An agent past its deadline could not be stopped yet; trying again.", {
      agentId: agent.id,
      reason,
      error: String(error),
    });
    core.deadlines.set(agent.id, `${reason} again`, core.clock.now() + 1_000, () =>
      stopAgentLater(core, agent, reason),
    );
  });
}
