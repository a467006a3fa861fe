import type { Agent, StopReason } from "../../domain/agents/agent.ts";
import { isHelloDue } from "../../domain/agents/degraded.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import { degradeAgent } from "./degrade-agent.ts";
import { stopAgent } from "./stop-agent.ts";

const RETRY_MS = 1_000;

/**
 * Stops an agent that exceeds its time limit, and a process that stays after the agent's report or
 * last event (some CLIs never exit). Shows an agent as degraded that does not connect to our MCP
 * server.
 */
export function watchDeadlines(core: Core, agent: Agent, finished: boolean): void {
  if (agent.timeoutMs !== null && agent.startedAt !== null) {
    core.deadlines.set(agent.id, "timeout", agent.startedAt + agent.timeoutMs, () =>
      stopAgentLater(core, agent, "timeout"),
    );
  }
  if (isHelloDue(agent) && agent.degraded === null) watchHello(core, agent);
  if (finished) {
    core.deadlines.set(agent.id, "linger", core.clock.now() + core.settings.lingerMs, () =>
      stopAgentLater(core, agent, "lingered"),
    );
  }
}

/** After a restart the time begins again: the agent could not connect without a daemon. */
function watchHello(
  core: Core,
  { id, attempt }: Pick<Agent, "id" | "attempt">,
  withinMs = core.settings.connectWithinMs,
): void {
  const degrade = () =>
    core.store.transaction(async (unit) => {
      const agent = await unit.getAgent(id);
      if (agent?.attempt === attempt) await degradeAgent(core, unit, agent, "not-connected");
    });
  core.deadlines.set(id, "hello", core.clock.now() + withinMs, () => {
    degrade().catch((error: unknown) => {
      const fields = { agentId: id, error: String(error) };
      core.log.error("A degraded agent could not be recorded yet; trying again.", fields);
      watchHello(core, { id, attempt }, RETRY_MS);
    });
  });
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
    core.deadlines.set(agent.id, `${reason} again`, core.clock.now() + RETRY_MS, () =>
      stopAgentLater(core, agent, reason),
    );
  });
}
