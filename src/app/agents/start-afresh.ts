import { applyToAgent, type Agent } from "../../domain/agents/agent.ts";
import { BEFORE_LAUNCH } from "../../domain/agents/before-launch.ts";
import { hasLostSession } from "../../domain/agents/lost-session.ts";
import { NO_PROGRESS } from "../../domain/agents/progress.ts";
import type { Core } from "../core.ts";
import type { Diagnosis } from "../ports/runner.ts";
import type { UnitOfWork } from "../ports/store.ts";
import type { Observation } from "../ports/supervisor.ts";

/**
 * Queues an agent again whose conversation could not be continued, without that conversation. All of
 * it is in the rows, so a daemon that dies after the commit finds the agent in its queue. False: the
 * agent's end counts as it is.
 */
export async function startAfreshIfSessionLost(
  core: Core,
  unit: UnitOfWork,
  agent: Agent,
  { progress, exitCode }: Extract<Observation, { type: "ended" }>,
  diagnosis: Diagnosis | undefined,
): Promise<boolean> {
  const failure = progress.end?.failure ?? diagnosis?.failure;
  if (!hasLostSession(agent, progress, exitCode, failure)) return false;
  // Its task was interrupted, so it may begin nothing.
  if ((await unit.listStopNotifications(agent.id)).length > 0) return false;
  const { resumeSession } = agent;
  const queued = await unit.updateAgent(
    applyToAgent(agent, "session_lost", {
      resumeSession: null,
      ...BEFORE_LAUNCH,
    }),
    agent,
  );
  await unit.putProgress(agent.id, { ...NO_PROGRESS, lostSession: resumeSession });
  await unit.emit({
    type: "agent:session_lost",
    groupId: agent.groupId,
    agentId: agent.id,
    taskId: agent.taskId,
    data: { status: queued.status, sessionId: resumeSession ?? "", taskId: agent.taskId },
    at: core.clock.now(),
  });
  unit.afterCommit(() => core.dispatchSoon());
  return true;
}
