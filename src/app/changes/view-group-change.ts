import type { AgentId, WorkspaceId } from "../../domain/ids.ts";
import type { Overlap } from "../../domain/workspaces/overlap.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";
import { requireGroup } from "../groups/require-group.ts";
import type { FileChange, Oid } from "../ports/git.ts";
import { hasCommit, isOfAnother, requireChangeHere } from "../workspaces/place-of-change.ts";
import { captureAuthor } from "../workspaces/worktree-of.ts";
import { patchOf, type ChangedFile } from "./read-changed-file.ts";
import { agentsOf } from "./view-change.ts";

const MAX_CHANGES = 500;

export type CombinedChange = {
  /** What could be merged; changes in conflict are left out. */
  readonly commit: Oid;
  readonly base: Oid;
  readonly files: readonly FileChange[];
  readonly conflicts: readonly {
    readonly workspaceId: WorkspaceId;
    readonly agentId: AgentId;
    readonly path: string;
  }[];
};

export type GroupChangeView = {
  /** Oldest first. */
  readonly changes: readonly Workspace[];
  readonly overlaps: readonly Overlap[];
  readonly combined: CombinedChange | null;
  readonly agents: ReadonlyMap<string, AgentId>;
};

/** The changes of a group, and what they are together. Merging happens in objects only. */
export async function viewGroupChange(core: Core, groupId: string): Promise<GroupChangeView> {
  const changes = await changesOf(core, groupId);
  const overlaps = await core.store.listOverlapsOf(changes.map(({ id }) => id));
  return {
    changes,
    overlaps,
    // The rows are the same on every server; what the changes are together needs their commits.
    combined: (await areHere(core, changes)) ? await combine(core, changes) : null,
    agents: await agentsOf(core.store, overlaps),
  };
}

export async function readGroupChangedFile(
  core: Core,
  groupId: string,
  path: string,
): Promise<ChangedFile> {
  const changes = await changesOf(core, groupId);
  for (const change of openOf(changes)) await requireChangeHere(core, change);
  const combined = await combine(core, changes);
  const repository = changes[0]?.repository ?? "";
  const { base = "", commit = "" } = combined ?? {};
  const file = await patchOf(core, repository, base, commit, path);
  return { ...file, path, version: 0 };
}

async function changesOf(core: Core, groupId: string): Promise<readonly Workspace[]> {
  const group = await requireGroup(core.store, groupId);
  const page = await core.store.listWorkspaces({ groupId: group.id, limit: MAX_CHANGES });
  return page.workspaces.toReversed();
}

function openOf(changes: readonly Workspace[]): readonly Workspace[] {
  return changes.filter(({ head, outcome }) => head !== null && outcome === "open");
}

async function areHere(core: Core, changes: readonly Workspace[]): Promise<boolean> {
  for (const change of openOf(changes)) {
    if (!isOfAnother(core, change)) continue;
    if (!(await hasCommit(core, change.repository, change.head))) return false;
  }
  return true;
}

/** null: fewer than two open changes, or several repositories. */
async function combine(core: Core, changes: readonly Workspace[]): Promise<CombinedChange | null> {
  const open = openOf(changes);
  const [first] = open;
  const isOneRepository = open.every(({ repository }) => repository === first?.repository);
  if (!first?.base || open.length < 2 || !isOneRepository) return null;
  const { repository, base } = first;
  let tip: Oid = base;
  const conflicts: CombinedChange["conflicts"][number][] = [];
  for (const { id, agentId, head } of open) {
    if (head === null || (await core.git.isAncestor(repository, head, tip))) continue;
    const merged = await core.git.buildMerge(repository, {
      onto: tip,
      change: head,
      base,
      mode: "merge",
      message: `Preview with ${agentId}`,
      author: captureAuthor("Kuromajutsu"),
      at: core.clock.now(),
    });
    if (merged.built) tip = merged.commit;
    else
      conflicts.push(...merged.conflicts.map(({ path }) => ({ workspaceId: id, agentId, path })));
  }
  const files = await core.git.listChanges(repository, base, tip);
  return { commit: tip, base, files, conflicts };
}
