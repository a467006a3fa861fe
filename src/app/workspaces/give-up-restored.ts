import { applyToWorkspace, type Workspace } from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";
import { pathOf } from "./insert-workspaces.ts";

/**
 * After a restore: the directories of a backup belong to the daemon that made it, which may be alive.
 * Only those below our own root are ours; the others are neither captured nor removed. A change that
 * is sent back gets a new directory. It stays the change of the server whose repository has its
 * commits: the others must ask that server.
 */
export async function giveUpRestored(core: Core): Promise<void> {
  const { root } = core.settings.workspace;
  for (const workspace of await core.store.listPresentWorkspaces()) {
    if (!workspace.path.startsWith(`${root}/`)) await giveUp(core, workspace);
  }
}

async function giveUp(core: Core, { id }: Workspace): Promise<void> {
  await core.store.transaction(async (unit) => {
    const workspace = await unit.getWorkspace(id);
    if (!workspace) return;
    const path = pathOf(core, { commonDirectory: workspace.repository, workspaceId: id });
    await unit.updateWorkspace(
      applyToWorkspace(workspace, "retired", {
        path,
        workerId: null,
        retiredAt: core.clock.now(),
        ports: null,
        diskBytes: 0,
      }),
      workspace,
    );
    const agent = await unit.getAgent(workspace.agentId);
    if (!agent) return;
    const workingDirectory = core.directories.resolve(workspace.prefix || ".", path);
    await unit.updateAgent({ ...agent, workingDirectory, tree: path }, agent);
  });
}
