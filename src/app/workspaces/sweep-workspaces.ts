import { isSettled } from "../../domain/agents/agent.ts";
import { isMergeOver } from "../../domain/merges/merge.ts";
import { Refusal } from "../../domain/refusal.ts";
import {
  baseRef,
  savedRef,
  versionRef,
  type Workspace,
} from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";
import { captureAgain } from "./capture-change.ts";
import { hasCommit, isOfAnother, ownerOf } from "./place-of-change.ts";
import { isOnHost, leftHere } from "./place-of-worktree.ts";
import { retire } from "./retire-workspace.ts";
import { worktreeOf } from "./worktree-of.ts";

const PAGE = 500;

/**
 * Removes directories whose time is over, and later the refs of decided changes. A change without a
 * decision keeps its commits for as long as its row exists.
 */
export async function sweepWorkspaces(core: Core): Promise<void> {
  for (const workspace of await core.store.listPresentWorkspaces()) {
    const isHere = isOnHost(core, workspace);
    if (workspace.status === "damaged" && isHere && (await isIdle(core, workspace))) {
      await attempt(core, workspace, () => captureAgain(core, workspace));
    } else if (await isDue(core, workspace))
      await attempt(core, workspace, () => retire(core, workspace));
  }
  await forgetDecided(core);
}

/** A repository that is gone must not keep the others from being swept. */
async function attempt(core: Core, { id }: Workspace, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    core.log.warn("A worktree could not be removed or captured; trying again later.", {
      workspaceId: id,
      error: error.message,
    });
  }
}

/** False also for worktrees of other servers, which may be on another disk. Workers delete their own. */
async function isIdle(core: Core, workspace: Workspace): Promise<boolean> {
  const agent = await core.store.getAgent(workspace.agentId);
  if (agent && !isSettled(agent)) return false;
  if (workspace.workerId !== null) return true;
  if (workspace.serverId !== null) return mayDelete(core, workspace);
  // An older version has made it.
  const { serverId } = core;
  return serverId === null || agent?.workerId == null || agent.workerId === serverId;
}

/** Its own, and on a shared disk also those of a server that is gone. */
async function mayDelete(core: Core, workspace: Workspace): Promise<boolean> {
  if (!isOfAnother(core, workspace)) return true;
  if (!(await core.directories.exists(workspace.path))) return false;
  return (await ownerOf(core, workspace)) === undefined;
}

/** The server that has the refs deletes them; if it is gone, one that has the same repository. */
async function mayForget(core: Core, workspace: Workspace): Promise<boolean> {
  if (!isOfAnother(core, workspace)) return true;
  if ((await ownerOf(core, workspace)) !== undefined) return false;
  return hasCommit(core, workspace.repository, workspace.head ?? workspace.start);
}

async function isDue(core: Core, workspace: Workspace): Promise<boolean> {
  if (!(await isIdle(core, workspace))) return false;
  const { keepDecidedMs, keepOpenMs } = core.settings.workspace;
  const now = core.clock.now();
  // The agent never started, or its worktree could not be made.
  if (workspace.status === "preparing" || workspace.status === "ready") return true;
  if (workspace.status === "failed") return workspace.createdAt + keepDecidedMs <= now;
  if (workspace.status === "damaged") return false;
  if (await isInUse(core, workspace)) return false;
  if (workspace.closedAt !== null) return workspace.closedAt + keepDecidedMs <= now;
  return (workspace.capturedAt ?? workspace.createdAt) + keepOpenMs <= now;
}

/** A person has written comments that were not sent, or a merge is under way. */
async function isInUse(core: Core, { id }: Workspace): Promise<boolean> {
  const comments = await core.store.listComments(id);
  if (comments.some(({ status }) => status === "draft")) return true;
  const { merges } = await core.store.listMerges({ workspaceId: id, limit: PAGE });
  return merges.some((merge) => !isMergeOver(merge));
}

async function forgetDecided(core: Core): Promise<void> {
  const { keepRefsMs } = core.settings.workspace;
  const before = core.clock.now() - keepRefsMs;
  let cursor: string | undefined;
  do {
    const page = await core.store.listWorkspaces({
      statuses: ["retired"],
      outcomes: ["merged", "discarded"],
      limit: PAGE,
      ...(cursor !== undefined && { cursor }),
    });
    for (const workspace of page.workspaces) {
      if ((workspace.closedAt ?? Infinity) > before) continue;
      if (!(await mayForget(core, workspace))) continue;
      await attempt(core, workspace, () => forget(core, workspace));
    }
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** The row last: a crash in between leaves a row whose refs are gone, and the next sweep ends it. */
async function forget(core: Core, workspace: Workspace): Promise<void> {
  const { id, repository, branch, head, start, version } = workspace;
  // A capture that finds nothing new is no version, but has a ref.
  const versions = Array.from({ length: version + 1 }, (_, index) => versionRef(id, index + 1));
  const left = await leftHere(core, workspace);
  if (left !== undefined && start !== null) {
    const worktree = { ...worktreeOf(workspace), path: left };
    await core.git.removeWorktree(repository, worktree, savedRef(id), async () => {});
  }
  const tip = head ?? start;
  if (tip !== null) await core.git.deleteBranch(repository, branch, tip);
  await core.git.forget(repository, [...versions, savedRef(id), baseRef(id)]);
  await core.store.transaction((unit) => unit.deleteWorkspace(id));
}
