import type { Agent } from "../../domain/agents/agent.ts";
import { applyToWorkspace, type FetchProblem } from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";
import type { NotFetched } from "../ports/worker-worktrees.ts";
import { workspaceEvent } from "./workspace-event.ts";

/**
 * A worker cannot fetch the commit: the agent goes back to the queue, for a server that has the
 * repository or for another worker.
 */
export async function handBack(
  core: Core,
  { id, workspaceId }: Agent,
  { reason }: NotFetched,
): Promise<void> {
  const worker = core.host?.name ?? "";
  core.host?.unfetched.add(id);
  await core.store.transaction(async (unit) => {
    const workspace = await unit.getWorkspace(workspaceId ?? "");
    const agent = await unit.getAgent(id);
    if (workspace?.status !== "preparing" || agent?.process !== "waiting") return;
    const fetchProblem: FetchProblem =
      reason === null
        ? { type: "unknown_commit", worker, commit: workspace.start ?? workspace.base ?? "" }
        : { type: "not_fetched", worker, reason };
    const back = await unit.updateWorkspace(
      applyToWorkspace(workspace, "handed_back", { fetchProblem }),
      workspace,
    );
    await unit.updateAgent({ ...agent, workerId: null }, agent);
    await unit.emit(workspaceEvent(core, back));
    core.log.warn("A worker cannot fetch the commit of an agent; it waits for another host.", {
      agentId: id,
      ...fetchProblem,
    });
    unit.afterCommit(() => core.host?.onHandedBack());
  });
}
