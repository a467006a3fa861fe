import type { Agent } from "../../domain/agents/agent.ts";
import type { Core } from "../core.ts";
import { problemsHere } from "../health/problems-here.ts";
import { findElsewhere } from "../workers/find-elsewhere.ts";
import { obeysPauses } from "./paused-runners.ts";

/**
 * Without the agents whose CLI cannot be used on this host, if another host can run them. Otherwise
 * they fail here, with a sentence that says what helps.
 */
export async function withoutUnusable(
  core: Core,
  agents: readonly Agent[],
): Promise<readonly Agent[]> {
  const problems = problemsHere(core);
  if (!problems || problems.all().length === 0) return agents;
  return withoutThose(
    agents,
    async (agent) =>
      problems.find(agent.runner) !== undefined &&
      (await isFree(core, agent)) &&
      (await findElsewhere(core, agent)).agent,
  );
}

/** Looks at all of them at once: agents that need the same share one question to the hosts. */
export async function withoutThose(
  agents: readonly Agent[],
  isForOthers: (agent: Agent) => Promise<boolean>,
): Promise<readonly Agent[]> {
  const areForOthers = await Promise.all(agents.map(isForOthers));
  return agents.filter((_, index) => areForOthers[index] !== true);
}

/** A client's own key signs in by itself. */
async function isFree(core: Core, agent: Agent): Promise<boolean> {
  return obeysPauses(agent) && (await isUnbound(core, agent));
}

/** Any host may take it. A worktree that was begun stays where it is. */
export async function isUnbound(core: Core, agent: Agent): Promise<boolean> {
  if (agent.workerId !== null) return false;
  if (agent.workspaceId === null) return true;
  const [workspace] = await core.store.getWorkspaces([agent.workspaceId]);
  return workspace?.status === "planned" && workspace.fetchProblem === null;
}
