import type { Agent } from "../../domain/agents/agent.ts";
import type { AgentId, WorkspaceId } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import {
  OVERLAP_LEVELS,
  overlapLevel,
  sharedPaths,
  type Overlap,
} from "../../domain/workspaces/overlap.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";
import { notifyAgent } from "../notifications/notify-agent.ts";
import type { Oid } from "../ports/git.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { hasCommit, isOfAnother } from "./place-of-change.ts";

/** An open change with the paths it touches now. */
type Touched = {
  readonly workspace: Workspace;
  readonly agent: Agent | undefined;
  /** undefined: the worktree of an agent at work cannot be read, mostly because another server has it. */
  readonly paths: readonly string[] | undefined;
  readonly isLive: boolean;
  readonly isOwn: boolean;
  /** Whether the repository of this server has the captured commits. */
  readonly isMergeable: boolean;
};

/**
 * Finds pairs of open changes of a repository that touch the same files. While an
 * agent is at work, only its paths are compared; captured changes are merged in objects, so conflicts
 * are known before a merge is requested. With a clone on each server, each compares what it can read
 * and leaves the other pairs as they are stored: otherwise the servers would delete the overlaps of each
 * other, and each time they are found again the agents would be notified again.
 */
export async function refreshOverlaps(core: Core, repository: string): Promise<void> {
  // The server that has the repository compares its changes.
  if (core.serverId !== null && !(await core.directories.exists(repository))) return;
  const open = await core.store.listOpenWorkspaces(repository);
  const touched: Touched[] = [];
  for (const workspace of open) touched.push(await touchedBy(core, workspace));
  const pairs = pairsOf(touched);
  const conflicts = await conflictsOf(core, repository, pairs);
  const now = core.clock.now();
  const overlaps = pairs.flatMap(({ a, b, shared }, index): Overlap[] => {
    const level = overlapLevel(shared, conflicts[index] ?? []);
    const paths = [...new Set([...shared, ...(conflicts[index] ?? [])])].slice(0, MAX_PATHS);
    return level ? [{ a: a.workspace.id, b: b.workspace.id, level, paths, at: now }] : [];
  });
  await store(core, touched, overlaps);
}

const MAX_PATHS = 100;

async function touchedBy(core: Core, workspace: Workspace): Promise<Touched> {
  const agent = await core.store.getAgent(workspace.agentId);
  const newest =
    workspace.version === 0
      ? undefined
      : await core.store.getVersion(workspace.id, workspace.version);
  const isLive = workspace.status === "ready" && agent?.process === "alive";
  const { start, path, workerId, repository, head } = workspace;
  // What is on a worker is compared when it is captured.
  const now =
    isLive && start !== null && workerId === null ? await pathsNow(core, path, start) : [];
  const isOwn = !isOfAnother(core, workspace);
  return {
    workspace,
    agent,
    isLive,
    paths: now && [...new Set([...(newest?.paths ?? []), ...now])],
    isOwn,
    isMergeable: isOwn || (await hasCommit(core, repository, head)),
  };
}

/** One worktree that git refuses must not hide the overlaps of the others. */
async function pathsNow(
  core: Core,
  path: string,
  start: string,
): Promise<readonly string[] | undefined> {
  try {
    return await core.git.changedPaths(path, start);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/**
 * Whether this server compares two changes. Two that only another server can merge are left to it: here
 * their conflicts would not be found.
 */
function isComparedHere(a: Touched, b: Touched): boolean {
  if (!a.paths || !b.paths) return false;
  return a.isOwn || b.isOwn || (a.isMergeable && b.isMergeable);
}

type Pair = { readonly a: Touched; readonly b: Touched; readonly shared: readonly string[] };

function pairsOf(touched: readonly Touched[]): readonly Pair[] {
  const sorted = touched.toSorted((x, y) => (x.workspace.id < y.workspace.id ? -1 : 1));
  return sorted.flatMap((a, index) =>
    sorted.slice(index + 1).flatMap((b) => {
      if (!isComparedHere(a, b)) return [];
      const shared = sharedPaths(a.paths ?? [], b.paths ?? []);
      return shared.length > 0 ? [{ a, b, shared }] : [];
    }),
  );
}

/** Per pair: the paths that git cannot merge; empty for agents at work and without their commits. */
async function conflictsOf(
  core: Core,
  repository: string,
  pairs: readonly Pair[],
): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = pairs.map(() => []);
  const captured = pairs.flatMap(({ a, b }, index) => {
    const [ours, theirs] = [headOf(a), headOf(b)];
    return ours === null || theirs === null ? [] : [{ index, ours, theirs }];
  });
  if (captured.length === 0) return found;
  const previews = await core.git.previewMerges(repository, captured);
  for (const [position, preview] of previews.entries()) {
    const index = captured[position]?.index;
    if (index !== undefined && !preview.clean) {
      found[index] = preview.conflicts.map(({ path }) => path);
    }
  }
  return found;
}

function headOf({ workspace, isLive, isMergeable }: Touched): Oid | null {
  return isLive || !isMergeable ? null : workspace.head;
}

async function store(
  core: Core,
  touched: readonly Touched[],
  overlaps: readonly Overlap[],
): Promise<void> {
  const agents = new Map(touched.map(({ workspace }) => [workspace.id, workspace.agentId]));
  const byId = new Map(touched.map((each) => [each.workspace.id, each]));
  const isLeftToOthers = (overlap: Overlap) => {
    const [a, b] = [byId.get(overlap.a), byId.get(overlap.b)];
    return a !== undefined && b !== undefined && !isComparedHere(a, b);
  };
  await core.store.transaction(async (unit) => {
    // Before the first change: a pair that is stored for one of its agents is new for the other, too.
    const stored = await unit.listOverlapsOf([...byId.keys()]);
    for (const each of touched) {
      const { id } = each.workspace;
      const isOfThis = ({ a, b }: Overlap) => a === id || b === id;
      const before = stored.filter(isOfThis);
      const after = [...overlaps.filter(isOfThis), ...before.filter(isLeftToOthers)];
      if (isSame(before, after)) continue;
      await unit.putOverlaps(id, after);
      await emitChanged(core, unit, each.workspace, after, agents);
      await tellAgent(core, unit, each, before, after, agents);
    }
  });
}

const keyOf = ({ a, b, level, paths }: Overlap) => `${a} ${b} ${level} ${paths.join("\0")}`;

function isSame(before: readonly Overlap[], after: readonly Overlap[]): boolean {
  const known = new Set(before.map(keyOf));
  return before.length === after.length && after.every((overlap) => known.has(keyOf(overlap)));
}

type AgentOf = ReadonlyMap<WorkspaceId, AgentId>;

const otherOf = ({ a, b }: Overlap, id: WorkspaceId) => (a === id ? b : a);

async function emitChanged(
  core: Core,
  unit: UnitOfWork,
  workspace: Workspace,
  overlaps: readonly Overlap[],
  agents: AgentOf,
): Promise<void> {
  const worst = OVERLAP_LEVELS.findLast((level) => overlaps.some((each) => each.level === level));
  await unit.emit({
    type: "workspace:overlaps_changed",
    groupId: workspace.groupId,
    agentId: workspace.agentId,
    taskId: workspace.taskId,
    data: {
      workspaceId: workspace.id,
      level: worst ?? null,
      others: overlaps.flatMap((each) => agents.get(otherOf(each, workspace.id)) ?? []),
    },
    at: core.clock.now(),
  });
}

/** Notifies an agent at work once of each other change that touches its files. */
async function tellAgent(
  core: Core,
  unit: UnitOfWork,
  { workspace, agent, isLive }: Touched,
  before: readonly Overlap[],
  after: readonly Overlap[],
  agents: AgentOf,
): Promise<void> {
  if (!isLive || !agent) return;
  const known = new Set(before.map((each) => otherOf(each, workspace.id)));
  for (const overlap of after) {
    const other = otherOf(overlap, workspace.id);
    if (known.has(other) || overlap.level === "generated") continue;
    await notifyAgent(core, unit, {
      agentId: agent.id,
      type: "message",
      from: "system",
      text: overlapText(agents.get(other) ?? other, overlap.paths),
    });
  }
}

const MAX_NAMED = 10;

function overlapText(other: string, paths: readonly string[]): string {
  const named = paths.slice(0, MAX_NAMED).join(", ");
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : "";
  return `Another agent (${other}) also changes these files in its own worktree: ${named}${more}. Go on, but keep your changes there small, so that both can be merged.`;
}
