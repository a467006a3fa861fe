import { applyToAgent, type Agent } from "../../domain/agents/agent.ts";
import { BEFORE_LAUNCH } from "../../domain/agents/before-launch.ts";
import { NO_PROGRESS, type AgentProgress } from "../../domain/agents/progress.ts";
import { observedResult } from "../../domain/agents/result.ts";
import { usageOf } from "../../domain/agents/usage.ts";
import type { Core } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import type { UnitOfWork } from "../ports/store.ts";

/** An agent that was started this often is lost with its host. */
const MAX_ATTEMPTS = 3;

/**
 * Puts an agent whose host is gone back into the queue, if its role says so. Its process may still run
 * there: without its token it can do nothing through us, and its host ends it when it is back.
 */
export async function requeueIfHostLost(
  core: Core,
  unit: UnitOfWork,
  agent: Agent,
  progress: AgentProgress,
): Promise<boolean> {
  if (!(await mayBeginAgain(core, unit, agent, progress))) return false;
  const now = core.clock.now();
  const queued = await unit.updateAgent(applyToAgent(agent, "host_lost", BEFORE_LAUNCH), agent);
  await unit.putProgress(agent.id, nextProgress(agent, progress));
  // The figures of a continued conversation include those of its earlier attempts.
  if (agent.resumeSession === null) {
    const result = observedResult(agent, progress, null, now);
    await unit.addUsage({ ...usageOf(agent, result, now), agents: 0 });
  }
  await unit.emit({
    type: "agent:status_update",
    groupId: agent.groupId,
    agentId: agent.id,
    data: { status: queued.status },
    at: now,
  });
  await recordAudit(core, unit, {
    actor: "system",
    action: "agent.host_lost",
    subject: agent.id,
    data: { role: agent.role, host: agent.workerId, attempt: agent.attempt },
  });
  unit.afterCommit(() => core.dispatchSoon());
  return true;
}

async function mayBeginAgain(
  { roles, internalRoles }: Core,
  unit: UnitOfWork,
  agent: Agent,
  progress: AgentProgress,
): Promise<boolean> {
  const role = roles.get(agent.role) ?? internalRoles.get(agent.role);
  if (role?.onLost !== "requeue" || agent.attempt >= MAX_ATTEMPTS) return false;
  // Its worktree, with what it has written, is on the disk of the lost host.
  if (agent.workspaceId !== null) return false;
  const isOver = agent.status !== "running" || progress.end !== null;
  if (isOver || agent.stopReason !== null) return false;
  // Its task was interrupted, so it may begin nothing.
  return (await unit.listStopNotifications(agent.id)).length === 0;
}

/** The warning reaches the caller with the result. */
function nextProgress(agent: Agent, progress: AgentProgress): AgentProgress {
  const { usageBefore, sessionUsage } = agent.resumeSession === null ? NO_PROGRESS : progress;
  const { lostSession, triedHosts } = progress;
  const warnings = [
    ...progress.warnings.filter((each) => each.startsWith(WARNING)),
    `${WARNING} Attempt ${agent.attempt} may have done part of the work.`,
  ];
  return { ...NO_PROGRESS, usageBefore, sessionUsage, lostSession, triedHosts, warnings };
}

const WARNING = "Its server or worker was lost, so it was started again.";
