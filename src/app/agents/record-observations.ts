import { retryUntilDone } from "../../base/retry-until-done.ts";
import { applyToAgent, type Agent } from "../../domain/agents/agent.ts";
import { endEventOf } from "../../domain/agents/end-event.ts";
import { observedResult, withReport, type ResultChange } from "../../domain/agents/result.ts";
import { usageOf } from "../../domain/agents/usage.ts";
import type { Core } from "../core.ts";
import { clearAtEnd } from "../notifications/clear-notifications.ts";
import { recordSteered } from "../notifications/steer-agent.ts";
import type { UnitOfWork } from "../ports/store.ts";
import type { Observation } from "../ports/supervisor.ts";
import { boundAgent } from "./bound-agent.ts";
import { degradeAgent } from "./degrade-agent.ts";
import { relaunchAgents } from "./dispatch-agents.ts";
import { handToOthers, withElsewhere, withHostName } from "./hand-to-others.ts";
import { noteAnswer, noteFailure, noteMissing } from "./note-runner.ts";
import { postponeIfLimited } from "./postpone-agent.ts";
import { reportOf } from "./register-report.ts";
import { requeueIfHostLost } from "./requeue-lost.ts";
import { hasKeys } from "./runnable-here.ts";
import { settleUnstarted } from "./settle-unstarted.ts";
import { startAfreshIfSessionLost } from "./start-afresh.ts";
import { statusUpdate } from "./status-update.ts";
import { requestAgentStop, signalFor } from "./stop-agent.ts";
import { watchDeadlines } from "./watch-deadlines.ts";

/** An attempt is abandoned only if it never ran; this many in a row are no accident. */
const MAX_ATTEMPTS = 200;

type Ended = Extract<Observation, { type: "ended" }>;

/**
 * Records the supervisor's observations in one transaction; reactions follow the commit. Those of
 * agents that another host runs are ignored.
 */
export async function recordObservations(
  core: Core,
  batch: readonly Observation[],
  hostId: string | null = core.serverId,
): Promise<void> {
  const whole = await withElsewhere(core, batch);
  await core.store.transaction(async (unit) => {
    for (const observation of whole) await record(core, unit, observation, hostId);
  });
}

async function record(
  core: Core,
  unit: UnitOfWork,
  observation: Observation,
  hostId: string | null,
): Promise<void> {
  const agent = await unit.getAgent(observation.agentId);
  if (!agent) return;
  const isCurrent = agent.attempt === observation.attempt && agent.process !== "waiting";
  const isTheirs = hostId === null || agent.workerId === hostId;
  // Ignore observations of abandoned attempts, of settled agents and of those queued again.
  if (!isCurrent || !isTheirs || agent.process === "ended") {
    return stopAbandoned(core, unit, agent, observation);
  }
  const onFailed = (error: unknown) =>
    core.log.error("Could not react to observations of agents; trying again.", {
      error: String(error),
    });
  // The supervisor does not send a committed batch again, so the reactions to it are retried.
  const later = (act: () => void | Promise<void>) =>
    unit.afterCommit(() => retryUntilDone(act, onFailed));
  switch (observation.type) {
    case "started":
      if (agent.process === "starting") await recordStart(core, unit, agent, observation);
      return;
    case "progress":
      await unit.putProgress(agent.id, observation.progress);
      await recordSteered(core, unit, agent.id, observation.progress);
      unit.emitTransient(statusUpdate(core, agent, observation.progress));
      if (observation.progress.mcpConnected === false) {
        await degradeAgent(core, unit, agent, "connection-failed");
      }
      if (observation.progress.end) unit.afterCommit(() => watchDeadlines(core, agent, true));
      await noteAnswer(core, unit, agent, observation.progress);
      return boundAgent(core, unit, agent, observation.progress);
    case "ended":
      if (agent.process === "capturing") return;
      if (agent.workspaceId === null) await recordEnd(core, unit, agent, observation);
      else await recordExit(core, unit, agent, observation);
      // The start may be in the same batch and may have set deadlines: clear them.
      unit.afterCommit(() => core.deadlines.clear(agent.id));
      return;
    case "start_failed":
      noteMissing(core, agent, observation);
      if (await handToOthers(core, unit, agent, observation)) return;
      return settleUnstarted(core, unit, agent.id, "start_failed", observation.error);
    case "not_launched":
      return later(() => launchAgain(core, agent));
    case "spool_limit_reached":
      return requestAgentStop(core, unit, agent.id, "spool_limit");
  }
}

/** Another server has given the attempt up, and it has just turned out that it runs here. */
function stopAbandoned(
  core: Core,
  unit: UnitOfWork,
  agent: Agent,
  { type, attempt }: Observation,
): void {
  if (core.serverId === null || (type !== "started" && type !== "progress")) return;
  unit.afterCommit(() => core.supervisor.stop(agent.id, signalFor(core, agent), attempt));
}

async function recordStart(
  core: Core,
  unit: UnitOfWork,
  agent: Agent,
  { pid, pidStart, bootId, at }: Extract<Observation, { type: "started" }>,
): Promise<void> {
  const now = core.clock.now();
  const started = await unit.updateAgent(
    applyToAgent(agent, "started", { pid, pidStart, bootId, startedAt: at }),
    agent,
  );
  await unit.emit({
    type: "agent:status_update",
    groupId: agent.groupId,
    agentId: agent.id,
    data: { status: started.status },
    at: now,
  });
  unit.afterCommit(() => watchDeadlines(core, started, false));
  // The stop was requested before the supervisor knew the process.
  if (started.stopReason !== null) {
    unit.afterCommit(() => core.supervisor.stop(agent.id, signalFor(core, agent)));
  }
}

/** The process of an isolated agent is gone; it is settled once its change is captured. */
async function recordExit(core: Core, unit: UnitOfWork, agent: Agent, end: Ended): Promise<void> {
  await unit.updateAgent(applyToAgent(agent, "exited", { tokenHash: null }), agent);
  await unit.putProgress(agent.id, end.progress);
  await unit.putPendingEnd(agent.id, end);
  unit.afterCommit(() => core.provisioning.captureSoon(agent.id));
}

/** Settles an agent whose process is gone. `change`: what it left in its worktree. */
export async function recordEnd(
  core: Core,
  unit: UnitOfWork,
  agent: Agent,
  end: Ended,
  change: ResultChange | null = null,
): Promise<void> {
  const now = core.clock.now();
  const diagnosis = core.runners.get(agent.runner)?.diagnose(end.stderrTail, end.exitCode);
  const mayBeginAgain = end.mayStillRun !== true;
  if (!mayBeginAgain && (await requeueIfHostLost(core, unit, agent, end.progress))) return;
  if (mayBeginAgain && (await startAfreshIfSessionLost(core, unit, agent, end, diagnosis))) return;
  const found = { ...end, startError: null, ...(diagnosis && { diagnosis }) };
  await noteAnswer(core, unit, agent, end.progress);
  await noteFailure(core, unit, agent, end.progress, found, end.elsewhere?.runner);
  if (mayBeginAgain && (await handToOthers(core, unit, agent, end))) return;
  if (mayBeginAgain && (await postponeIfLimited(core, unit, agent, end.progress, found))) return;
  unit.emitTransient(statusUpdate(core, agent, end.progress));
  await unit.putProgress(agent.id, end.progress);
  const settled = await unit.updateAgent(
    applyToAgent(agent, endEventOf(agent, end.progress, end.exitCode), {
      exitCode: end.exitCode,
      endedAt: now,
      tokenHash: null,
    }),
    agent,
  );
  const observed = withHostName(core, observedResult(settled, end.progress, found, now));
  const report = await reportOf(unit, agent);
  const whole = report ? withReport(observed, report) : observed;
  const result = change === null ? whole : { ...whole, change };
  await unit.putResult(agent.id, result);
  await unit.addUsage(usageOf(settled, result, now));
  await unit.emit({
    type: "agent:completed",
    groupId: agent.groupId,
    agentId: agent.id,
    data: { status: settled.status, result: result.status, duration_ms: result.durationMs },
    at: now,
  });
  await clearAtEnd(unit, settled, now);
}

async function launchAgain(core: Core, seen: Agent): Promise<void> {
  const agent = await core.store.getAgent(seen.id);
  if (!agent || agent.process !== "starting" || agent.attempt !== seen.attempt) return;
  const settle = (event: "cancelled" | "start_failed", error: string) =>
    core.store.transaction((unit) => settleUnstarted(core, unit, agent.id, event, error));
  if (agent.stopReason !== null) return settle("cancelled", "Cancelled before it started.");
  if (agent.attempt >= MAX_ATTEMPTS) {
    return settle("start_failed", `It could not be launched in ${MAX_ATTEMPTS} attempts.`);
  }
  if (hasKeys(core, agent)) return relaunchAgents(core, [agent]);
  // The key was lost in a restart: the agent waits in the queue until a client sends it again.
  await core.store.transaction((unit) =>
    unit.updateAgent(applyToAgent(agent, "requeued", { tokenHash: null, workerId: null }), agent),
  );
  core.dispatchSoon();
}
