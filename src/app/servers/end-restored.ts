import { setTimeout as delay } from "node:timers/promises";
import type { Agent } from "../../domain/agents/agent.ts";
import type { AgentId } from "../../domain/ids.ts";
import { signalFor } from "../agents/stop-agent.ts";
import type { Core } from "../core.ts";
import { listCapturingOf } from "../workspaces/list-capturing-of.ts";
import { adopt } from "./kill-lost.ts";

const LOOK_EVERY_MS = 50;
const ENDED_WITHIN_MS = 60_000;

/**
 * After a restored dump: agents go on when their daemon stops, so those of this server may still run,
 * and would write while their changes are captured. `abandon` records their ends; then nothing that
 * is observed of them changes their rows. Their processes are ended, and only then are their changes
 * captured. Safe to repeat after a crash.
 */
export async function endRestored(
  core: Core,
  abandon: (core: Core) => Promise<void>,
): Promise<void> {
  const own = await listOwn(core);
  const held = new Set<AgentId>();
  const captureSoon = (agentId: AgentId) => void held.add(agentId);
  await abandon({ ...core, provisioning: { ...core.provisioning, captureSoon } });
  await endProcesses(core, own);
  for (const agentId of held) core.provisioning.captureSoon(agentId);
}

/** Those that an earlier process of this server has started. */
async function listOwn(core: Core): Promise<readonly Agent[]> {
  if (core.serverId === null) return [];
  const spooled = new Set(await core.supervisor.listSpooled());
  const capturing = await core.store.getAgents(await listCapturingOf(core, core.serverId));
  const own = [...(await core.store.listLiveAgents(core.serverId)), ...capturing];
  return own.filter(({ id, runner }) => spooled.has(id) && core.runners.has(runner));
}

async function endProcesses(core: Core, agents: readonly Agent[]): Promise<void> {
  for (const agent of agents) {
    adopt(core, agent, await core.store.getProgress(agent.id));
    core.supervisor.stop(agent.id, signalFor(core, agent), agent.attempt);
  }
  const until = performance.now() + ENDED_WITHIN_MS;
  for (;;) {
    const left = agents.filter(({ id, attempt }) => core.supervisor.has(id, attempt));
    if (left.length === 0) return;
    if (performance.now() > until) {
      const agentIds = left.map(({ id }) => id);
      core.log.warn("Agents of the restored database could not be ended yet.", { agentIds });
      return;
    }
    await delay(LOOK_EVERY_MS);
  }
}
