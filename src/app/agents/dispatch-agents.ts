import { applyToAgent, type Agent } from "../../domain/agents/agent.ts";
import { NO_PROGRESS, type AgentProgress } from "../../domain/agents/progress.ts";
import type { AgentId } from "../../domain/ids.ts";
import { isStoreRefusal, Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { LaunchOrder } from "../ports/agent-host.ts";
import { worktreeVariables } from "../workspaces/worktree-variables.ts";
import { buildLaunch } from "./build-launch.ts";
import { fullPromptOf } from "./full-prompt.ts";
import { isTakenHere } from "./is-taken-here.ts";
import { withinLabelLimits } from "./label-limits.ts";
import { oneForEachTrial, pausedRunners } from "./paused-runners.ts";
import { runnableHere } from "./runnable-here.ts";
import { settleUnstarted } from "./settle-unstarted.ts";
import { countFree, takeAgents } from "./take-agents.ts";

/**
 * Fills free slots with waiting agents, highest priority and then oldest first. Returns whether it left
 * agents that this host cannot run now: it may become able to without an event.
 */
export async function dispatchAgents(core: Core, isClosed: () => boolean): Promise<boolean> {
  /** They must not hold back the agents behind them. */
  const notHere: AgentId[] = [];
  while (!isClosed()) {
    const due = await listDue(core, notHere);
    if (due.length === 0) break;
    const next = oneForEachTrial(core, due);
    // The keys of these agents are put into memory after the commit.
    await core.store.afterCommitted();
    const ready = await withinLabelLimits(core, await runnableHere(core, next));
    notHere.push(...next.filter((agent) => !ready.includes(agent)).map((agent) => agent.id));
    const taken = await takeAgents(core, ready);
    const { prepared, preparing } = await core.provisioning.prepare(taken);
    const launched = await launchAll(core, prepared, "launched");
    // Every slot is taken, or no agent is waiting: the next event starts a round.
    if (launched + preparing === due.length) break;
  }
  return notHere.length > 0;
}

/** Orchestrators and drafts have slots of their own: they wait for workers and must not block them. */
async function listDue(core: Core, except: readonly AgentId[]): Promise<readonly Agent[]> {
  const counts = await core.store.countByProcess();
  // Every end of an agent wakes the dispatcher of every host, and mostly nothing waits.
  if (counts.waiting === 0) return [];
  const free = await countFree(core, core.store, counts);
  const paused = await pausedRunners(core);
  // An agent whose worktree is being prepared has its slot already.
  const preparing = core.provisioning.agentIds();
  const due = async (slot: Agent["slot"]) =>
    free[slot] > 0
      ? core.store.listWaitingAgents(slot, free[slot], [...except, ...preparing], paused)
      : [];
  return [
    ...(await listTaken(core, [...except, ...preparing])),
    ...(await due("reserved")),
    ...(await due("orchestrator")),
    ...(await due("worker")),
  ];
}

/** Agents that this server took and whose worktree is made by now. */
async function listTaken(core: Core, except: readonly AgentId[]): Promise<readonly Agent[]> {
  if (core.serverId === null) return [];
  const taken = await core.store.listTakenAgents(core.serverId);
  // A held agent waits for a person, not for its worktree.
  return taken.filter(({ id, held }) => !held && !except.includes(id));
}

/** Launches agents again whose last attempt never ran and never will. */
export async function relaunchAgents(core: Core, agents: readonly Agent[]): Promise<void> {
  await launchAll(core, agents, "relaunched");
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
      intents.push({ agent, next, start: await prepareStart(core, next, token) });
    } catch (error) {
      if (!(error instanceof Refusal) || isStoreRefusal(error)) throw error;
      failed.push({ agent, error: error.message });
    }
  }
  // Launch directly after the commit: a stop that follows must find a process to stop.
  const starts = await commitIntents(core, intents);
  await Promise.all(starts.map((start) => start()));
  for (const { agent, error } of failed) {
    await core.store.transaction(async (unit) => {
      if (!isTakenHere(core, await unit.getAgent(agent.id))) return;
      await settleUnstarted(core, unit, agent.id, "start_failed", error);
    });
  }
  return starts.length;
}

type Start = () => Promise<void>;
type Intent = { readonly agent: Agent; readonly next: Agent; readonly start: Start };

/**
 * Stores the intent first, so that every launch is known after a crash. Skips agents that were
 * cancelled in the meantime.
 */
function commitIntents(core: Core, intents: readonly Intent[]): Promise<Start[]> {
  return core.store.transaction(async (unit) => {
    const committed: Start[] = [];
    for (const { next, agent, start } of intents) {
      try {
        await unit.updateAgent(next, agent);
        committed.push(start);
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== "VERSION_CONFLICT") throw error;
      }
    }
    return committed;
  });
}

/** Rejects if it cannot start. Returns the function that starts it, for after the commit. */
async function prepareStart(core: Core, agent: Agent, token: string): Promise<Start> {
  const order: LaunchOrder = {
    agent,
    token,
    prompt: await fullPromptOf(core, agent),
    progress: await initialProgress(core, agent),
    keys: core.clientKeys.find(agent.id, agent.clientKeys) ?? {},
    variables: await worktreeVariables(core, agent),
  };
  const { host } = core;
  if (host) return () => host.launch(order);
  const launch = await buildLaunch(core, order);
  return () => core.supervisor.launch(launch);
}

/** Only an agent that continues a conversation has progress before its first output. */
async function initialProgress(core: Core, agent: Agent): Promise<AgentProgress> {
  return agent.resumeSession === null && agent.attempt === 1
    ? NO_PROGRESS
    : core.store.getProgress(agent.id);
}
