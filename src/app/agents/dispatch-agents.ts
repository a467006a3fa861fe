import { applyToAgent, type Agent } from "../../domain/agents/agent.ts";
import { NO_PROGRESS, type AgentProgress } from "../../domain/agents/progress.ts";
import { installCommand } from "../../domain/health/cli-facts.ts";
import type { AgentId } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { Launch } from "../ports/supervisor.ts";
import { findRunner, requestedModel } from "../roles/resolve-runner.ts";
import { worktreeVariables } from "../workspaces/worktree-variables.ts";
import { fullPromptOf } from "./full-prompt.ts";
import { oneForEachTrial, pausedRunners } from "./paused-runners.ts";
import { settleUnstarted } from "./settle-unstarted.ts";
import { MAX_RESERVED, takeAgents } from "./take-agents.ts";

/** Fills free slots with waiting agents, highest priority and then oldest first. */
export async function dispatchAgents(core: Core, isClosed: () => boolean): Promise<void> {
  const notHere: AgentId[] = [];
  while (!isClosed()) {
    const due = await listDue(core, notHere);
    if (due.length === 0) return;
    const next = oneForEachTrial(core, due);
    // The keys of these agents are put into memory after the commit.
    await core.store.afterCommitted();
    const ready = await runnableHere(core, next);
    notHere.push(...next.filter((agent) => !ready.includes(agent)).map((agent) => agent.id));
    const taken = await takeAgents(core, ready);
    const { prepared, preparing } = await core.provisioning.prepare(taken);
    const launched = await launchAll(core, prepared, "launched");
    // Every slot is taken, or no agent is waiting: the next event starts a round.
    if (launched + preparing === due.length) return;
  }
}

/** Orchestrators and drafts have slots of their own: they wait for workers and must not block them. */
async function listDue(core: Core, except: readonly AgentId[]): Promise<readonly Agent[]> {
  const { live, liveOrchestrators, liveReserved } = await core.store.countLive();
  const { maxConcurrent, maxOrchestrators } = core.settings;
  const paused = await pausedRunners(core);
  // An agent whose worktree is being prepared has its slot already.
  const preparing = core.provisioning.agentIds();
  const due = async (slot: Agent["slot"], free: number) =>
    free > 0 ? core.store.listWaitingAgents(slot, free, [...except, ...preparing], paused) : [];
  // The rows count agents that were taken; without other servers none is marked as taken.
  const uncounted = core.serverId === null ? preparing.length : 0;
  return [
    ...(await listTaken(core, [...except, ...preparing])),
    ...(await due("reserved", MAX_RESERVED - liveReserved)),
    ...(await due("orchestrator", maxOrchestrators - liveOrchestrators)),
    ...(await due("worker", maxConcurrent - live - uncounted)),
  ];
}

/** Agents that this server took and whose worktree is made by now. */
async function listTaken(core: Core, except: readonly AgentId[]): Promise<readonly Agent[]> {
  if (core.serverId === null) return [];
  const taken = await core.store.listTakenAgents(core.serverId);
  return taken.filter(({ id }) => !except.includes(id));
}

/** Another server may have the keys of a client, or the directory. */
async function runnableHere(core: Core, agents: readonly Agent[]): Promise<readonly Agent[]> {
  const withKeys = agents.filter((agent) => hasKeys(core, agent));
  if (core.serverId === null) return withKeys;
  const exist = await Promise.all(
    (await neededDirectories(core, withKeys)).map((path) => core.directories.exists(path)),
  );
  return withKeys.filter((_, index) => exist[index] === true);
}

/** A worktree that is not made yet needs its repository. */
async function neededDirectories(core: Core, agents: readonly Agent[]): Promise<readonly string[]> {
  const workspaces = await core.store.getWorkspaces(
    agents.flatMap(({ workspaceId }) => workspaceId ?? []),
  );
  const byId = new Map(workspaces.map((workspace) => [workspace.id, workspace]));
  return agents.map(({ workspaceId, workingDirectory }) => {
    const workspace = workspaceId === null ? undefined : byId.get(workspaceId);
    const isMade = workspace === undefined || workspace.status === "ready";
    return isMade ? workingDirectory : workspace.repository;
  });
}

/** Launches agents again whose last attempt never ran and never will. */
export async function relaunchAgents(core: Core, agents: readonly Agent[]): Promise<void> {
  await launchAll(core, agents, "relaunched");
}

/** A queued agent whose key was lost in a restart waits until its client sends the key again. */
export function hasKeys(core: Pick<Core, "clientKeys">, agent: Agent): boolean {
  return core.clientKeys.find(agent.id, agent.clientKeys) !== undefined;
}

/** Returns the number of requested launches. */
async function launchAll(
  core: Core,
  agents: readonly Agent[],
  event: "launched" | "relaunched",
): Promise<number> {
  const intents: Intent[] = [];
  const failed: { agent: Agent; error: string }[] = [];
  for (const agent of agents) {
    try {
      const token = core.tokens.create();
      const next = applyToAgent(agent, event, {
        attempt: agent.attempt + 1,
        tokenHash: core.tokens.hash(token),
        workerId: core.serverId,
      });
      intents.push({ agent, next, launch: await prepareLaunch(core, next, token) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      failed.push({ agent, error: error.message });
    }
  }
  // Launch directly after the commit: a stop that follows must find a process to stop.
  const launches = await commitIntents(core, intents);
  await Promise.all(launches.map((launch) => core.supervisor.launch(launch)));
  for (const { agent, error } of failed) {
    await core.store.transaction((unit) =>
      settleUnstarted(core, unit, agent.id, "start_failed", error),
    );
  }
  return launches.length;
}

type Intent = { readonly agent: Agent; readonly next: Agent; readonly launch: Launch };

/**
 * Stores the intent first, so that every launch is known after a crash. Skips agents that were
 * cancelled in the meantime.
 */
function commitIntents(core: Core, intents: readonly Intent[]): Promise<Launch[]> {
  return core.store.transaction(async (unit) => {
    const committed: Launch[] = [];
    for (const { next, agent, launch } of intents) {
      try {
        await unit.updateAgent(next, agent);
        committed.push(launch);
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== "VERSION_CONFLICT") throw error;
      }
    }
    return committed;
  });
}

async function prepareLaunch(core: Core, agent: Agent, token: string): Promise<Launch> {
  const found = await findRunner(core, agent.runner);
  if (!found) {
    throw new Refusal("ROLE_UNAVAILABLE", {
      en: [
        `The ${agent.runner} CLI was not found on PATH.`,
        `Install it${installCommand(agent.runner)}, or set another runner for the role.`,
      ],
      ja: [
        `${agent.runner} の CLI が PATH に見つかりません。`,
        `インストールする${installCommand(agent.runner, "ja")}か、職種に別のランナーを指定してください。`,
      ],
    });
  }
  const { runner } = found;
  const worktree = await worktreeVariables(core, agent);
  await runner.prepare?.(found.command);
  const prompt = await fullPromptOf(core, agent);
  const command = runner.command(
    {
      ...agent,
      agentId: agent.id,
      model: requestedModel(agent.model),
      prompt,
      runDirectory: core.supervisor.runDirectory(agent.id, agent.attempt),
      mcp: core.environment.ownServer,
    },
    found.command,
  );
  const keys = core.clientKeys.find(agent.id, agent.clientKeys) ?? {};
  return {
    agentId: agent.id,
    attempt: agent.attempt,
    runner: agent.runner,
    workingDirectory: agent.workingDirectory,
    progress: await initialProgress(core, agent),
    command: {
      ...command,
      env: { ...core.environment.forAgent(agent, token, keys), ...worktree, ...command.env },
    },
  };
}

/** Only an agent that continues a conversation has progress before its first output. */
async function initialProgress(core: Core, agent: Agent): Promise<AgentProgress> {
  return agent.resumeSession === null && agent.attempt === 1
    ? NO_PROGRESS
    : core.store.getProgress(agent.id);
}
