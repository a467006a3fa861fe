import type { Agent, StopReason } from "../../domain/agents/agent.ts";
import { isHelloDue } from "../../domain/agents/degraded.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { nameOfAttempt } from "./deadlines.ts";
import { degradeAgent } from "./degrade-agent.ts";
import { requestAgentStop } from "./stop-agent.ts";

const RETRY_MS = 1_000;

/**
 * Stops an agent that exceeds its time limit, and a process that stays after the agent's report or
 * last event (some CLIs never exit). Shows an agent as degraded that does not connect to our MCP
 * server.
 */
export function watchDeadlines(core: Core, agent: Agent, finished: boolean): void {
  if (agent.timeoutMs !== null && agent.startedAt !== null) {
    const at = agent.startedAt + agent.timeoutMs;
    core.deadlines.set(agent.id, nameOfAttempt("timeout", agent), at, () =>
      stopAgentLater(core, agent, "timeout"),
    );
  }
  if (isHelloDue(agent) && agent.degraded === null) watchHello(core, agent);
  if (finished) {
    const at = core.clock.now() + core.settings.lingerMs;
    core.deadlines.set(agent.id, nameOfAttempt("linger", agent), at, () =>
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
  const name = nameOfAttempt("hello", { attempt });
  core.deadlines.set(id, name, core.clock.now() + withinMs, () => {
    degrade().catch((error: unknown) => {
      const fields = { agentId: id, error: String(error) };
      core.log.error("A degraded agent could not be recorded yet; trying again.", fields);
      watchHello(core, { id, attempt }, RETRY_MS);
    });
  });
}

/** An end may be taken back: the last step of OpenCode is only known when no other follows it. */
async function isFinished(unit: UnitOfWork, { id, reportedAt }: Agent): Promise<boolean> {
  return reportedAt !== null || (await unit.getProgress(id)).end !== null;
}

/** The agent may have been started again, here or on another host: that attempt has its own time. */
async function stopAtDeadline(
  core: Core,
  { id, attempt }: Pick<Agent, "id" | "attempt">,
  reason: StopReason,
): Promise<void> {
  await core.store.transaction(async (unit) => {
    const agent = await unit.getAgent(id);
    // An agent that waits in the queue again still has the number of its last attempt.
    if (agent?.attempt !== attempt || agent.process === "waiting") return;
    if (reason === "lingered" && !(await isFinished(unit, agent))) return;
    await requestAgentStop(core, unit, id, reason);
  });
}

export function stopAgentLater(core: Core, agent: Agent, reason: StopReason): void {
  stopAtDeadline(core, agent, reason).catch((error: unknown) => {
    core.log.error("An agent past its deadline could not be stopped yet; trying again.", {
      agentId: agent.id,
      reason,
      error: String(error),
    });
    const name = nameOfAttempt(`${reason} again`, agent);
    core.deadlines.set(agent.id, name, core.clock.now() + RETRY_MS, () =>
      stopAgentLater(core, agent, reason),
    );
  });
}
