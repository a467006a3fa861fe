import type { Group } from "../../domain/groups/group.ts";
import type { AgentId } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import { decideIsolation } from "../../domain/workspaces/decide-isolation.ts";
import {
  applyToWorkspace,
  branchOf,
  type Workspace,
  type WorkspaceBase,
} from "../../domain/workspaces/workspace.ts";
import type { Placement } from "../agents/insert-agents.ts";
import type { PlannedAgent } from "../agents/plan-agent.ts";
import type { Core } from "../core.ts";
import type { Repository } from "../ports/git.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { continuedWorkspace, type PlannedPlace } from "./plan-places.ts";
import { requireIdle } from "./require-workspace.ts";
import { workspaceEvent } from "./workspace-event.ts";

type Placed = PlannedAgent & Placement;

/** Which of these agents get a worktree of their own. Agents that lead others do not count. */
export async function isolatedOf(
  unit: UnitOfWork,
  planned: readonly Placed[],
): Promise<readonly boolean[]> {
  const trees = new Set(planned.flatMap(({ place }) => place?.repository?.root ?? []));
  const busy = new Set<string>();
  for (const tree of trees) {
    if ((await unit.listWritersIn(tree)).length > 0) busy.add(tree);
  }
  return decideIsolation(
    planned.map((item) => ({
      isolation: mayBeIsolated(item) ? (item.place?.isolation ?? "none") : "none",
      // A repository without a commit has nothing to make a worktree of.
      tree: item.place?.repository?.head ? item.place.repository.root : null,
      isWriter: item.role.access === "read-write",
      stageIndex: item.stageIndex,
      hasBase: mayBeIsolated(item) && item.place?.hasBase === true,
    })),
    (tree) => busy.has(tree),
  );
}

function mayBeIsolated(item: Placed): boolean {
  return item.slot === "worker" && continuedWorkspace(item) === null;
}

/** Where the agent works: columns of its row. */
export function placeOf(core: Core, item: Placed, isIsolated: boolean) {
  const { place, role, workingDirectory, resumes } = item;
  const workspaceId = continuedWorkspace(item);
  if (workspaceId && resumes) {
    return { workingDirectory: resumes.workingDirectory, tree: resumes.tree, workspaceId };
  }
  const tree = role.access === "read-write" ? (place?.repository?.root ?? null) : null;
  if (!isIsolated || !place?.repository) return { workingDirectory, tree, workspaceId: null };
  const path = pathOf(core, { ...place.repository, workspaceId: place.workspaceId });
  return {
    workingDirectory: core.directories.resolve(place.repository.prefix || ".", path),
    tree: path,
    workspaceId: place.workspaceId,
  };
}

export function pathOf(
  core: Pick<Core, "tokens" | "directories" | "settings">,
  {
    commonDirectory,
    workspaceId,
  }: Pick<Repository, "commonDirectory"> & Pick<PlannedPlace, "workspaceId">,
): string {
  // Two clones of one project never share a directory.
  const key = core.tokens.hash(commonDirectory).slice(0, 16);
  return core.directories.resolve(`${key}/${workspaceId}`, core.settings.workspace.root);
}

export type NewWorkspace = {
  readonly item: Placed;
  readonly group: Group;
  readonly agentId: AgentId;
  readonly requester: string | null;
};

export async function insertWorkspace(
  core: Core,
  unit: UnitOfWork,
  { item, group, agentId, requester }: NewWorkspace,
): Promise<void> {
  const { place } = item;
  if (!place?.repository) return;
  const { repository } = place;
  const basedOn = basedOnOf(item, place);
  const isLater = basedOn.kind === "stage";
  const workspace: Workspace = {
    id: place.workspaceId,
    agentId,
    groupId: group.id,
    taskId: item.taskId ?? null,
    requester,
    status: "planned",
    outcome: "open",
    repository: repository.commonDirectory,
    source: repository.root,
    prefix: repository.prefix,
    path: pathOf(core, { ...repository, workspaceId: place.workspaceId }),
    workerId: null,
    serverId: null,
    fetchProblem: null,
    branch: branchOf(group.id, agentId),
    basedOn,
    base: isLater ? null : place.base,
    start: isLater ? null : place.start,
    target: core.settings.workspace.mergeTarget ?? repository.branch,
    version: 0,
    head: null,
    files: 0,
    added: 0,
    removed: 0,
    attention: [],
    ports: null,
    diskBytes: null,
    fingerprint: null,
    createdAt: core.clock.now(),
    capturedAt: null,
    closedAt: null,
    retiredAt: null,
    revision: 1,
  };
  await unit.insertWorkspace(workspace);
  await unit.emit(workspaceEvent(core, workspace));
}

/** A later stage begins with the merged result of the stage before, unless the caller named a base. */
function basedOnOf({ stageIndex }: Placed, place: PlannedPlace): WorkspaceBase {
  const isLater = stageIndex !== null && stageIndex > 0 && !place.hasBase;
  return isLater ? { kind: "stage", stageIndex: stageIndex - 1 } : place.basedOn;
}

/** A new agent takes over the workspace of the agent whose conversation it continues. */
export async function takeOverWorkspace(
  core: Core,
  unit: UnitOfWork,
  item: PlannedAgent,
  agentId: AgentId,
): Promise<Workspace | undefined> {
  const id = continuedWorkspace(item);
  const workspace = id === null ? undefined : await unit.getWorkspace(id);
  if (!workspace) return undefined;
  await requireIdle(unit, workspace);
  const reopened = await unit.updateWorkspace(
    applyToWorkspace(workspace, "reopened", {
      agentId,
      outcome: "open",
      closedAt: null,
      retiredAt: null,
      start: workspace.head ?? workspace.start,
    }),
    workspace,
  );
  await unit.emit(workspaceEvent(core, reopened));
  return reopened;
}

const mb = (bytes: number) => Math.ceil(bytes / 1_048_576);

/** New work is refused while the worktrees use more disk than they may. */
export async function requireDiskRoom(core: Core, unit: UnitOfWork): Promise<void> {
  const { maxTotalBytes } = core.settings.workspace;
  if (maxTotalBytes === null) return;
  const present = await unit.listPresentWorkspaces();
  const used = present.reduce((sum, { diskBytes }) => sum + (diskBytes ?? 0), 0);
  if (used < maxTotalBytes) return;
  throw new Refusal("WORKSPACE_DISK_FULL", {
    en: [
      `The worktrees of agents use ${mb(used)} MB; workspace.maxTotal_mb allows ${mb(maxTotalBytes)}.`,
      "Merge or discard changes, remove worktrees on the Workspaces page, or raise workspace.maxTotal_mb.",
    ],
    ja: [
      `エージェントの作業ツリーが ${mb(used)} MB 使っています。上限 (workspace.maxTotal_mb) は ${mb(maxTotalBytes)} MB です。`,
      "変更を取り込むか破棄する、作業ツリーのページで片付ける、または workspace.maxTotal_mb を増やしてください。",
    ],
  });
}
