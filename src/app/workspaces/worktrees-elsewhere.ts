import type { Agent } from "../../domain/agents/agent.ts";
import { hasLabels } from "../../domain/workers/labels.ts";
import { mayMoveToWorker, type Workspace } from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";
import type { WorkerRow } from "../ports/workers.ts";
import { connectedWorkers } from "../workers/connected-workers.ts";
import { hasCommit, isOfAnother } from "./place-of-change.ts";
import { isOnHost } from "./place-of-worktree.ts";
import { headsBefore } from "./stage-base.ts";

/** Without the agents whose worktree is another host's, or cannot be made on this one. */
export async function withoutWorktreesElsewhere(
  core: Core,
  agents: readonly Agent[],
): Promise<readonly Agent[]> {
  const isolated = agents.filter(({ workspaceId }) => workspaceId !== null);
  if (isolated.length === 0) return agents;
  const rows = await core.store.getWorkspaces(
    isolated.flatMap(({ workspaceId }) => workspaceId ?? []),
  );
  const byId = new Map<string, Workspace>(rows.map((row) => [row.id, row]));
  const workers = await connectedWorkers(core);
  const kept: Agent[] = [];
  for (const agent of agents) {
    const workspace = byId.get(agent.workspaceId ?? "");
    if (!workspace || (await mayBeHere(core, agent, workspace, workers))) kept.push(agent);
  }
  return kept;
}

async function mayBeHere(
  core: Core,
  agent: Agent,
  workspace: Workspace,
  workers: readonly WorkerRow[],
): Promise<boolean> {
  const { host } = core;
  if (host?.unfetched.has(agent.id)) return false;
  // It goes on where its commits are: a clone of another host has not got them.
  if (isOfAnother(core, workspace) && !(await hasCommitsOf(core, workspace))) return false;
  if (isOnHost(core, workspace)) return true;
  // It goes on where its worktree is, if it can.
  const owner = workers.find(({ id }) => id === workspace.workerId);
  if (owner && workspace.fetchProblem === null && isAble(owner, agent)) return false;
  if (!host) return true;
  if (!mayMoveToWorker(workspace)) return false;
  if (!(await core.directories.exists(workspace.repository))) return false;
  return (await core.git.remoteUrl(workspace.repository)) !== undefined;
}

async function hasCommitsOf(core: Core, workspace: Workspace): Promise<boolean> {
  const { repository, head, start } = workspace;
  const known = head ?? start;
  // The changes of the stage before are not merged yet.
  const needed = known === null ? await headsBefore(core, workspace) : [known];
  for (const commit of needed) if (!(await hasCommit(core, repository, commit))) return false;
  return core.directories.exists(repository);
}

function isAble({ details }: WorkerRow, { runner, labels }: Agent): boolean {
  if (!details || details.isDraining || details.slots === 0) return false;
  return details.runners.some(({ id }) => id === runner) && hasLabels(details.labels, labels);
}
