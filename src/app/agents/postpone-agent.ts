import { applyToAgent, type Agent } from "../../domain/agents/agent.ts";
import { BEFORE_LAUNCH } from "../../domain/agents/before-launch.ts";
import { callsOf, NO_PROGRESS, type AgentProgress } from "../../domain/agents/progress.ts";
import { failureOf, type ProcessEnd } from "../../domain/agents/result.ts";
import { isLimit } from "../../domain/health/runner-problem.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { obeysPauses } from "./paused-runners.ts";

/** An agent that has met a limit this often fails. */
const MAX_ATTEMPTS = 8;

/**
 * Puts an agent back into the queue if a limit of its runner ended it before it did anything. The
 * pause that the same transaction stores keeps it there.
 */
export async function postponeIfLimited(
  core: Core,
  unit: UnitOfWork,
  agent: Agent,
  progress: AgentProgress,
  end: ProcessEnd,
): Promise<boolean> {
  const failure = progress.end?.ok === true ? undefined : failureOf(agent, progress, end);
  if (!failure || !isLimit(failure.kind) || !obeysPauses(agent)) return false;
  if (!mayRepeat(agent, progress) || agent.attempt >= MAX_ATTEMPTS) return false;
  // Its task was interrupted, so it may begin nothing.
  if ((await unit.listStopNotifications(agent.id)).length > 0) return false;
  const { usageBefore, sessionUsage } = agent.resumeSession === null ? NO_PROGRESS : progress;
  const { lostSession, triedHosts } = progress;
  const postponed = applyToAgent(agent, "postponed", {
    ...BEFORE_LAUNCH,
    stopReason: null,
  });
  await unit.updateAgent(postponed, agent);
  await unit.putProgress(agent.id, {
    ...NO_PROGRESS,
    usageBefore,
    sessionUsage,
    lostSession,
    triedHosts,
  });
  await unit.emit({
    type: "agent:status_update",
    groupId: agent.groupId,
    agentId: agent.id,
    data: { status: postponed.status },
    at: core.clock.now(),
  });
  return true;
}

/**
 * Nothing that the agent did can have had an effect: it called no tool, wrote no file and did not
 * report. A line that could not be read might have been a tool call. A text has no effect.
 */
export function mayRepeat(agent: Agent, progress: AgentProgress): boolean {
  const isStopped = agent.stopReason !== null && !agent.stopReason.startsWith("retry_");
  const files = [...progress.editedFiles, ...progress.createdFiles, ...progress.deletedFiles];
  const didNothing = callsOf(progress) === 0 && files.length === 0;
  const isComplete = progress.skippedLines === 0 && agent.reportedAt === null;
  return didNothing && isComplete && !isStopped;
}
