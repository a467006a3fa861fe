import { applyToAgent, type Agent } from "../../domain/agents/agent.ts";
import { BEFORE_LAUNCH } from "../../domain/agents/before-launch.ts";
import { NO_PROGRESS, type AgentProgress } from "../../domain/agents/progress.ts";
import { failureOf, type AgentResult } from "../../domain/agents/result.ts";
import type { HostProblem } from "../../domain/health/host-problem.ts";
import type { Core } from "../core.ts";
import { problemsHere } from "../health/problems-here.ts";
import { problemKindOf } from "../health/runner-problems.ts";
import type { UnitOfWork } from "../ports/store.ts";
import type { Observation } from "../ports/supervisor.ts";
import { findElsewhere } from "../workers/find-elsewhere.ts";
import { obeysPauses } from "./paused-runners.ts";
import { mayRepeat } from "./postpone-agent.ts";

type Ended = Extract<Observation, { type: "ended" }>;
type StartFailed = Extract<Observation, { type: "start_failed" }>;

/**
 * Looks for other hosts if an observation says that a CLI cannot be used on this one. Before the
 * transaction that records it, because the hosts are asked.
 */
export async function withElsewhere(
  core: Core,
  batch: readonly Observation[],
): Promise<readonly Observation[]> {
  if (!problemsHere(core)) return batch;
  return Promise.all(
    batch.map(async (each) =>
      each.type === "ended" || each.type === "start_failed" ? look(core, each) : each,
    ),
  );
}

async function look<Seen extends Ended | StartFailed>(core: Core, seen: Seen): Promise<Seen> {
  // Most agents end well.
  if (seen.type === "ended" ? seen.progress.end?.ok === true : !seen.isMissing) return seen;
  const agent = await core.store.getAgent(seen.agentId);
  if (!agent || kindOf(core, agent, seen) === undefined || !obeysPauses(agent)) return seen;
  const { triedHosts } = await core.store.getProgress(agent.id);
  const elsewhere = await findElsewhere(core, agent, { tried: triedHosts, isNow: true });
  return { ...seen, elsewhere };
}

/** Undefined: the observation says nothing about the CLI on this host. */
function kindOf(
  core: Core,
  agent: Agent,
  seen: Ended | StartFailed,
): HostProblem["kind"] | undefined {
  if (seen.type === "start_failed") return seen.isMissing ? "not-installed" : undefined;
  if (seen.progress.end?.ok === true || seen.mayStillRun) return undefined;
  const diagnosis = core.runners.get(agent.runner)?.diagnose(seen.stderrTail, seen.exitCode);
  const failure = failureOf(agent, seen.progress, diagnosis ? { diagnosis } : {});
  const kind = problemKindOf(core, agent, failure?.kind ?? null);
  return kind === "signed-out" ? kind : undefined;
}

/**
 * Puts an agent back into the queue for another host, if its CLI cannot be used on this one and it has
 * done nothing yet. Each host is tried once. False: the end counts as it is.
 */
export async function handToOthers(
  core: Core,
  unit: UnitOfWork,
  agent: Agent,
  seen: Ended | StartFailed,
): Promise<boolean> {
  const kind = kindOf(core, agent, seen);
  const { serverId } = core;
  if (kind === undefined || serverId === null || !seen.elsewhere?.agent) return false;
  const before = await unit.getProgress(agent.id);
  if (before.triedHosts.includes(serverId)) return false;
  if (!isMovable(agent, seen.type === "ended" ? seen.progress : NO_PROGRESS)) return false;
  // Its task was interrupted, so it may begin nothing.
  if ((await unit.listStopNotifications(agent.id)).length > 0) return false;
  const event = seen.type === "ended" ? "postponed" : "requeued";
  const queued = await unit.updateAgent(applyToAgent(agent, event, BEFORE_LAUNCH), agent);
  const warning = `${agent.runner} ${WHY[kind]} on ${nameOfHost(core)}${MOVED}`;
  await unit.putProgress(agent.id, {
    ...NO_PROGRESS,
    triedHosts: [...before.triedHosts, serverId],
    warnings: [...before.warnings.filter((each) => each.endsWith(MOVED)), warning],
  });
  await unit.emit({
    type: "agent:status_update",
    groupId: agent.groupId,
    agentId: agent.id,
    data: { status: queued.status },
    at: core.clock.now(),
  });
  core.log.warn("The CLI of an agent cannot be used on its host; another host runs it.", {
    agentId: agent.id,
    runner: agent.runner,
    host: nameOfHost(core),
    problem: kind,
  });
  // The core of a worker wakes only its own worker.
  unit.afterCommit(() => (core.host ? core.host.onHandedBack() : core.dispatchSoon()));
  return true;
}

/** The warning reaches the caller with the result. */
const MOVED = ", so it was started on another host.";
const WHY: Readonly<Record<HostProblem["kind"], string>> = {
  "signed-out": "is signed out",
  "not-installed": "is not installed",
};

/** A worktree and a conversation are on the disk of this host. */
function isMovable(agent: Agent, progress: AgentProgress): boolean {
  const isFree = agent.workspaceId === null && agent.resumeSession === null;
  return isFree && agent.stopReason === null && mayRepeat(agent, progress);
}

/** With several hosts, a person must know where to sign in. */
export function withHostName(core: Core, result: AgentResult): AgentResult {
  const { errorMessage, failure } = result;
  if (core.serverId === null || failure?.kind !== "signed-out" || errorMessage === null) {
    return result;
  }
  return { ...result, errorMessage: `${errorMessage} (on ${nameOfHost(core)})` };
}

function nameOfHost({ host, serverId }: Core): string {
  return host ? `the worker ${host.name}` : `the server ${serverId}`;
}
