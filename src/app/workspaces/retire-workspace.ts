import { applyToWorkspace, savedRef, type Workspace } from "../../domain/workspaces/workspace.ts";
import type { Core, Identity } from "../core.ts";
import { requirePerson } from "../people/require-person.ts";
import { directoryElsewhere, isOfAnother, ownerOf } from "./place-of-change.ts";
import { requireIdle, requireWorkspace } from "./require-workspace.ts";
import { workspaceEvent } from "./workspace-event.ts";
import { worktreeOf } from "./worktree-of.ts";

/** A person removes the directory of a worktree; its change stays as commits. */
export async function retireWorkspace(
  core: Core,
  identity: Identity,
  id: string,
): Promise<Workspace> {
  requirePerson(identity, "operator");
  const workspace = await requireWorkspace(core.store, id);
  await requireIdle(core.store, workspace);
  await requireDirectoryHere(core, workspace);
  return retire(core, workspace);
}

/**
 * Only its owner can delete a directory on another disk. If that server is gone for good, a person may
 * end the row; the directory went with the server.
 */
async function requireDirectoryHere(core: Core, workspace: Workspace): Promise<void> {
  if (workspace.workerId !== null || workspace.status === "retired") return;
  if (!isOfAnother(core, workspace) || (await core.directories.exists(workspace.path))) return;
  const owner = await ownerOf(core, workspace);
  if (owner) throw directoryElsewhere(workspace, owner);
}

/**
 * Removes the directory. What it holds is kept as a ref first, so nothing that an agent wrote is
 * lost. Can be repeated: a daemon that dies in the middle does it again.
 */
export async function retire(core: Core, workspace: Workspace): Promise<Workspace> {
  if (workspace.status === "retired") return workspace;
  const { repository, id, start, base } = workspace;
  // A worktree that was never located was never made. A worker deletes its own when it sees the row.
  if (workspace.workerId === null && (start !== null || base !== null)) {
    // A person may send the change back at the same moment: then the next agent needs the directory.
    const confirm = async () => requireIdle(core.store, await requireWorkspace(core.store, id));
    await core.git.removeWorktree(repository, worktreeOf(workspace), savedRef(id), confirm);
  }
  return core.store.transaction(async (unit) => {
    const found = await requireWorkspace(unit, id);
    if (found.status === "retired") return found;
    // The next agent makes the directory again.
    await requireIdle(unit, found);
    // Nothing was captured, so there is nothing to decide about.
    const isEmpty = found.version === 0 && found.outcome === "open";
    const now = core.clock.now();
    const retired = await unit.updateWorkspace(
      applyToWorkspace(found, "retired", {
        retiredAt: now,
        ports: null,
        diskBytes: 0,
        ...(isEmpty && { outcome: "discarded", closedAt: now }),
      }),
      found,
    );
    await unit.emit(workspaceEvent(core, retired));
    return retired;
  });
}
