import type { Agent } from "../../domain/agents/agent.ts";
import { exceededBound, retrySeries } from "../../domain/agents/bounds.ts";
import type { AgentProgress } from "../../domain/agents/progress.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { nameOfAttempt } from "./deadlines.ts";
import { requestAgentStop } from "./stop-agent.ts";
import { stopAgentLater } from "./watch-deadlines.ts";

const TRY_AGAIN_MS = 1_000;

/**
 * Stops an agent that has passed a bound. The reason is stored in the transaction of the progress,
 * so a daemon that dies after it continues the stop.
 */
export async function boundAgent(
  core: Core,
  unit: UnitOfWork,
  agent: Agent,
  progress: AgentProgress,
): Promise<void> {
  const isFinished = progress.end !== null || agent.reportedAt !== null;
  if (isFinished || agent.stopReason !== null) return;
  const reason = exceededBound(progress, core.settings.bounds);
  if (reason !== null) return requestAgentStop(core, unit, agent.id, reason);
  unit.afterCommit(() => watchRetries(core, agent, progress));
}

/** Stops an agent that only retries for too long. A restarted daemon begins to count again. */
export function watchRetries(core: Core, agent: Agent, progress: AgentProgress): void {
  const { maxRetryTimeMs } = core.settings.bounds;
  const series = retrySeries(progress);
  if (series === null || maxRetryTimeMs === 0) return;
  watchSeries(core, agent, series, core.clock.now() + maxRetryTimeMs);
}

function watchSeries(core: Core, agent: Agent, series: number, at: number): void {
  core.deadlines.set(agent.id, nameOfAttempt("retrying", agent), at, () => {
    endIfStillRetrying(core, agent, series).catch((error: unknown) => {
      core.log.error("The retries of an agent could not be read; trying again.", {
        agentId: agent.id,
        error: String(error),
      });
      watchSeries(core, agent, series, core.clock.now() + TRY_AGAIN_MS);
    });
  });
}

async function endIfStillRetrying(core: Core, agent: Agent, series: number): Promise<void> {
  const progress = await core.store.getProgress(agent.id);
  if (progress.end !== null) return;
  if (retrySeries(progress) === series) return stopAgentLater(core, agent, "retry_time");
  watchRetries(core, agent, progress);
}
