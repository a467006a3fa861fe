import { setTimeout as delay } from "node:timers/promises";
import type { Agent } from "../../domain/agents/agent.ts";
import { settleLost } from "../agents/settle-lost.ts";
import type { Core } from "../core.ts";
import { type IsReadOnly, recoverCalls } from "../gateway/recover-calls.ts";
import { resumeGroups } from "../groups/resume-groups.ts";
import { resumeTasks } from "../tasks/task-advancer.ts";
import { listCapturingOf } from "../workspaces/list-capturing-of.ts";

/** Less than the time after which another server may clean up, too. */
const CAPTURED_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 100;

/**
 * Another host has died. Its calls have an unknown outcome, its agents are lost (they may still run, so
 * they are started again only if their role says so), and what it had only taken from the queue is
 * free again. Safe to repeat after a crash.
 */
export async function takeOver(
  core: Core,
  serverId: string,
  isReadOnly: IsReadOnly,
): Promise<{ readonly agents: number; readonly calls: number }> {
  const calls = await recoverCalls(core, isReadOnly, serverId);
  const live = await core.store.listLiveAgents(serverId);
  let unsettled = 0;
  for (const agent of live) if (!(await lose(core, agent))) unsettled += 1;
  await settleCapturing(core, serverId);
  await releaseTaken(core, serverId);
  // What the dead server committed, and did not react to.
  await resumeGroups(core);
  await resumeTasks(core);
  core.dispatchSoon();
  // The host is not forgotten, so this is done again.
  if (unsettled > 0) throw new Error(`${unsettled} agents of ${serverId} could not be settled.`);
  return { agents: live.length, calls };
}

async function lose(core: Core, agent: Agent): Promise<boolean> {
  const { id: agentId, attempt, process } = agent;
  const at = core.clock.now();
  const unknown = { agentId, attempt, pid: 0, pidStart: "", bootId: "", at } as const;
  return settleLost(core, agent, (progress) => [
    // The host may have launched it without being able to say so.
    ...(process === "starting" ? [{ type: "started", ...unknown } as const] : []),
    {
      type: "ended",
      agentId,
      attempt,
      progress,
      exitCode: null,
      stderrTail: "",
      survivors: [],
      mayStillRun: true,
    },
  ]);
}

/** Worktrees on the disk of the dead server are not here; then their agents are settled without. */
async function settleCapturing(core: Core, serverId: string): Promise<void> {
  const until = performance.now() + CAPTURED_WITHIN_MS;
  for (;;) {
    const capturing = await listCapturingOf(core, serverId);
    if (capturing.length === 0) return;
    if (performance.now() > until) throw new Error("Changes of agents are not captured yet.");
    for (const agentId of capturing) core.provisioning.captureSoon(agentId);
    await delay(LOOK_EVERY_MS);
  }
}

/** Gives agents that were taken and never launched back to the queue. */
export async function releaseTaken(core: Core, serverId: string): Promise<void> {
  for (const agent of await core.store.listTakenAgents(serverId)) {
    await core.store.transaction(async (unit) => {
      const now = await unit.getAgent(agent.id);
      if (now?.process !== "waiting" || now.workerId !== serverId) return;
      await unit.updateAgent({ ...now, workerId: null }, now);
      // Another server may have a free slot for it.
      await unit.emit({
        type: "agent:status_update",
        groupId: now.groupId,
        agentId: now.id,
        data: { status: now.status },
        at: core.clock.now(),
      });
    });
  }
}
