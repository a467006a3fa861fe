import { setTimeout as sleep } from "node:timers/promises";
import { isSettled } from "../../domain/agents/agent.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";
import { captureAgain } from "../workspaces/capture-change.ts";
import { isOnHost } from "../workspaces/place-of-worktree.ts";

const LOOK_EVERY_MS = 500;
const MAX_LOOKS = 120;

/**
 * Captures worktrees of agents that were settled while their worker was gone, or whose commits could
 * not be taken. Never rejects.
 */
export async function captureLost(core: Core, signal: AbortSignal): Promise<void> {
  const damaged = async (): Promise<readonly Workspace[]> =>
    (await core.store.listPresentWorkspaces()).filter(
      (each) => each.status === "damaged" && isOnHost(core, each),
    );
  const captureOne = async (workspace: Workspace): Promise<void> => {
    if (await isIdle(core, workspace, signal)) await captureAgain(core, workspace);
  };
  const report = (error: unknown): void => {
    if (signal.aborted) return;
    core.log.warn("A worktree on a worker could not be captured; trying again later.", {
      workerId: core.serverId,
      error: String(error),
    });
  };
  const found = await damaged().catch((error: unknown) => {
    report(error);
    return [];
  });
  for (const workspace of found) {
    if (signal.aborted) return;
    // One that fails each time, such as a bundle that is too large, must not hold up the others.
    await captureOne(workspace).catch(report);
  }
}

/** The process of a lost agent is being ended: what it still writes belongs to its change. */
async function isIdle(core: Core, { agentId }: Workspace, signal: AbortSignal): Promise<boolean> {
  const agent = await core.store.getAgent(agentId);
  if (!agent || !isSettled(agent)) return false;
  for (let looks = 0; looks < MAX_LOOKS && !signal.aborted; looks++) {
    if (!(await core.host?.isRunning(agentId))) return !signal.aborted;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}
