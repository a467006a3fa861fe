import { applyToAgent, type Agent } from "../domain/agent.ts";
import type { AgentId } from "../domain/ids.ts";
import { buildFullPrompt } from "../domain/prompt.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Role } from "../domain/role.ts";
import type { Core } from "./core.ts";
import type { Launch } from "./ports/supervisor.ts";
import { findRunner } from "./resolve-runner.ts";
import { settleUnstarted } from "./settle-unstarted.ts";

/** Fills free slots with waiting agents, highest priority and then oldest first. */
export async function dispatchAgents(core: Core): Promise<void> {
  const withoutKey: AgentId[] = [];
  for (;;) {
    const { waiting, live } = await core.store.countByProcess();
    const free = core.settings.maxConcurrent - live;
    if (waiting === 0 || free <= 0) return;
    const next = await core.store.listWaitingAgents(free, withoutKey);
    if (next.length === 0) return;
    const ready = next.filter((agent) => hasKeys(core, agent));
    withoutKey.push(...next.filter((agent) => !ready.includes(agent)).map((agent) => agent.id));
    await launchAll(core, ready, "launched");
  }
}

/** Their last attempt never ran and never will: the next one is theirs. */
export async function relaunchAgents(core: Core, agents: readonly Agent[]): Promise<void> {
  await launchAll(core, agents, "relaunched");
}

/** A queued agent whose key went with a restart of the daemon waits, visibly, for its client. */
export function hasKeys(core: Pick<Core, "clientKeys">, agent: Agent): boolean {
  return core.clientKeys.find(agent.id, agent.clientKeys) !== undefined;
}

async function launchAll(
  core: Core,
  agents: readonly Agent[],
  event: "launched" | "relaunched",
): Promise<void> {
  const launches: Launch[] = [];
  const failed: { agent: Agent; error: string }[] = [];
  const intents: { next: Agent; agent: Agent }[] = [];
  for (const agent of agents) {
    try {
      const token = core.tokens.create();
      const next = applyToAgent(agent, event, {
        attempt: agent.attempt + 1,
        tokenHash: core.tokens.hash(token),
      });
      launches.push(await prepareLaunch(core, next, token));
      intents.push({ next, agent });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      failed.push({ agent, error: error.message });
    }
  }
  // The intent first: what the launcher was asked for is never unknown after a crash.
  await core.store.transaction(async (unit) => {
    for (const { next, agent } of intents) await unit.updateAgent(next, agent);
  });
  for (const { agent, error } of failed)
    await settleUnstarted(core, agent.id, "start_failed", error);
  for (const launch of launches) await core.supervisor.launch(launch);
}

async function prepareLaunch(core: Core, agent: Agent, token: string): Promise<Launch> {
  const role = core.roles.get(agent.role);
  if (!role) {
    throw new Refusal(
      "ROLE_NOT_FOUND",
      `Role ${agent.role} is no longer in the configuration.`,
      "Put it back, or run the agent with another role.",
    );
  }
  const found = await findRunner(core, agent.runner);
  if (!found) {
    throw new Refusal(
      "ROLE_UNAVAILABLE",
      `The ${agent.runner} CLI was not found on PATH.`,
      "Install it, or set another runner for the role.",
    );
  }
  const prompt = buildFullPrompt({
    agentId: agent.id,
    groupId: agent.groupId,
    role,
    tools: toolsOf(core, role),
    previousStageResults: null,
    userPrompt: await core.store.getPrompt(agent.id),
  });
  const command = found.runner.command({ ...agent, agentId: agent.id, prompt }, found.command);
  const keys = core.clientKeys.find(agent.id, agent.clientKeys) ?? {};
  return {
    agentId: agent.id,
    attempt: agent.attempt,
    runner: agent.runner,
    workingDirectory: agent.workingDirectory,
    command: {
      ...command,
      env: { ...core.environment.forAgent(agent, token, keys), ...command.env },
    },
  };
}

function toolsOf(core: Core, role: Role) {
  return role.tools.flatMap((id) => core.roleTools.get(id) ?? []);
}
