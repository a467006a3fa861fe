import type { Workspace } from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { pathOf } from "./insert-workspaces.ts";
import { isOfAnother } from "./place-of-change.ts";

type Host = Pick<Core, "host" | "serverId">;

/** The worker that this core is for; null: it is a server's own. */
function workerOf({ host, serverId }: Host): string | null {
  return host ? serverId : null;
}

/** Whether the worktree is on the disk of this server or worker. */
export function isOnHost(core: Host, { workerId }: Pick<Workspace, "workerId">): boolean {
  return workerId === workerOf(core);
}

/**
 * Where this host makes the worktree. A worktree that another host had begun is made anew: its
 * branch has everything that was captured.
 */
export async function placeHere(core: Core, workspace: Workspace): Promise<Partial<Workspace>> {
  if (isOnHost(core, workspace)) {
    const left = await leftHere(core, workspace);
    return left === undefined ? {} : { path: left };
  }
  const { repository, id: workspaceId } = workspace;
  // On a worker the directory is named after the remote, of which it has one repository.
  const url = core.host ? await core.git.remoteUrl(repository) : undefined;
  const path = pathOf(core, { commonDirectory: url ?? repository, workspaceId });
  await dropSetup(core, workspace);
  return { workerId: workerOf(core), path };
}

/**
 * Another server that settles a restored database gives up what is not below its own root, and the
 * row names a directory of that server. The server that made the worktree still has it, and its branch
 * is checked out there. undefined: it has none, or the row names it.
 */
export async function leftHere(core: Core, workspace: Workspace): Promise<string | undefined> {
  // A worker deletes its own when it sees the row.
  if (core.host || isOfAnother(core, workspace)) return undefined;
  const { repository, id: workspaceId } = workspace;
  const path = pathOf(core, { commonDirectory: repository, workspaceId });
  return path !== workspace.path && (await core.directories.exists(path)) ? path : undefined;
}

/** The other host may have died after its setup command, whose commit is no work of the agent. */
async function dropSetup(core: Core, workspace: Workspace): Promise<void> {
  const { repository, branch, version, start } = workspace;
  if (version > 0 || start === null) return;
  const tip = await core.git.resolve(repository, `refs/heads/${branch}`);
  if (tip !== undefined && tip !== start) await core.git.deleteBranch(repository, branch, tip);
}

/** The agent works in the worktree of its workspace. */
export async function moveAgentTo(
  core: Core,
  unit: UnitOfWork,
  { agentId, path, prefix }: Workspace,
): Promise<void> {
  const agent = await unit.getAgent(agentId);
  const workingDirectory = core.directories.resolve(prefix || ".", path);
  if (!agent || agent.workingDirectory === workingDirectory) return;
  await unit.updateAgent({ ...agent, workingDirectory, tree: path }, agent);
}
