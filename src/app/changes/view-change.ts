import type { ChangeComment, ChangeVersion } from "../../domain/changes/change.ts";
import { findLines } from "../../domain/changes/find-lines.ts";
import type { AgentId, WorkspaceId } from "../../domain/ids.ts";
import type { Merge } from "../../domain/merges/merge.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Overlap } from "../../domain/workspaces/overlap.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";
import type { FileChange, MergeConflict, Oid } from "../ports/git.ts";
import type { Queries } from "../ports/store.ts";
import { isOfAnother, requireChangeHere } from "../workspaces/place-of-change.ts";
import { requireWorkspace } from "../workspaces/require-workspace.ts";

export type PlacedComment = {
  readonly comment: ChangeComment;
  readonly currentLine: number | null;
};

export type ChangePreview = {
  readonly target: string;
  readonly isClean: boolean;
  readonly conflicts: readonly MergeConflict[];
};

export type ChangeView = {
  readonly workspace: Workspace;
  /** undefined: nothing was captured yet; `files` are those of the worktree now. */
  readonly version: ChangeVersion | undefined;
  readonly versions: readonly ChangeVersion[];
  readonly files: readonly FileChange[];
  readonly overlaps: readonly Overlap[];
  readonly comments: readonly PlacedComment[];
  readonly merges: readonly Merge[];
  readonly preview: ChangePreview | null;
  readonly pullRequestTool: "gh" | "glab" | null;
  /** The agents of the workspaces that `overlaps` name. */
  readonly agents: ReadonlyMap<string, AgentId>;
};

const MAX_MERGES = 20;

/** One change with everything that a review needs, except the patches. */
export async function viewChange(core: Core, id: string, wanted?: number): Promise<ChangeView> {
  const workspace = await requireWorkspace(core.store, id);
  const versions = await core.store.listVersions(workspace.id);
  const version = requireVersion(workspace, versions, wanted);
  if (version) await requireChangeHere(core, workspace);
  const overlaps = await core.store.listOverlapsOf([workspace.id]);
  const { merges } = await core.store.listMerges({ workspaceId: workspace.id, limit: MAX_MERGES });
  return {
    workspace,
    version,
    versions,
    files: version
      ? await core.git.listChanges(workspace.repository, version.base, version.commit)
      : await filesNow(core, workspace),
    overlaps,
    comments: await placeComments(core, workspace, version),
    merges,
    preview: await previewOf(core, workspace, version),
    pullRequestTool: version ? await core.workspaceTools.pullRequestTool(workspace.source) : null,
    agents: await agentsOf(core.store, overlaps),
  };
}

/** The version that was asked for, or the newest. */
export function requireVersion(
  workspace: Workspace,
  versions: readonly ChangeVersion[],
  wanted?: number,
): ChangeVersion | undefined {
  const number = wanted ?? workspace.version;
  const found = versions.find(({ version }) => version === number);
  if (found || wanted === undefined) return found;
  throw new Refusal("INVALID_ARGUMENTS", {
    en: [
      `The change of ${workspace.agentId} has no version ${wanted}.`,
      `Its newest version is ${workspace.version}.`,
    ],
    ja: [
      `${workspace.agentId} の変更にバージョン ${wanted} はありません。`,
      `最新のバージョンは ${workspace.version} です。`,
    ],
  });
}

/** While the agent is at work: which files differ now, without numbers. */
async function filesNow(core: Core, workspace: Workspace): Promise<FileChange[]> {
  const { status, path, start } = workspace;
  // What is on a worker, or on the disk of another server, is known when it is captured.
  if (status !== "ready" || start === null || workspace.workerId !== null) return [];
  if (isOfAnother(core, workspace) && !(await core.directories.exists(path))) return [];
  const paths = await core.git.changedPaths(path, start);
  return paths.map((each) => ({
    path: each,
    from: null,
    status: "modified",
    kind: "file",
    isBinary: false,
    added: null,
    removed: null,
    modeChanged: false,
    lineEndingsOnly: false,
    leavesTree: false,
  }));
}

const MAX_COMMENTED_BYTES = 4_194_304;

async function placeComments(
  core: Core,
  workspace: Workspace,
  shown: ChangeVersion | undefined,
): Promise<readonly PlacedComment[]> {
  const placed: PlacedComment[] = [];
  for (const comment of await core.store.listComments(workspace.id)) {
    placed.push({ comment, currentLine: await lineNow(core, workspace, shown, comment) });
  }
  return placed;
}

async function lineNow(
  core: Core,
  { repository }: Workspace,
  shown: ChangeVersion | undefined,
  { line, side, path, quote, version }: ChangeComment,
): Promise<number | null> {
  if (line === null || shown === undefined || version === shown.version) return line;
  const commit = side === "old" ? shown.base : shown.commit;
  const content = await linesOf(core, repository, commit, path);
  return content ? findLines(content, quote.split("\n"), line) : null;
}

/** The lines of a text file; undefined: it is not there, or too long. */
export async function linesOf(
  core: Core,
  repository: string,
  commit: string,
  path: string,
): Promise<readonly string[] | undefined> {
  const bytes = await core.git.readFile(repository, commit, path, MAX_COMMENTED_BYTES);
  if (!bytes) return undefined;
  const lines = Buffer.from(bytes).toString("utf8").split("\n");
  return lines.map((text) => (text.endsWith("\r") ? text.slice(0, -1) : text));
}

async function previewOf(
  core: Core,
  { outcome, target, repository }: Workspace,
  version: ChangeVersion | undefined,
): Promise<ChangePreview | null> {
  if (!version || outcome !== "open" || target === null || version.files === 0) return null;
  const tip = await core.git.resolve(repository, `refs/heads/${target}`);
  if (tip === undefined) return null;
  const ours = await standFor(core, repository, tip, version.base);
  const [preview] = await core.git.previewMerges(repository, [{ ours, theirs: version.commit }]);
  if (!preview) return null;
  const conflicts = preview.clean ? [] : preview.conflicts;
  return { target, isClean: preview.clean, conflicts };
}

/**
 * A change that began from uncommitted work is merged without that work: a commit with the files of the
 * branch on top of the base makes the base what git compares with, as the merge itself does.
 */
async function standFor(core: Core, repository: string, tip: Oid, base: Oid): Promise<Oid> {
  if (await core.git.isAncestor(repository, base, tip)) return tip;
  const [same] = await core.git.previewMerges(repository, [{ ours: tip, theirs: tip }]);
  return same?.clean ? core.git.previewCommit(repository, same.tree, base) : tip;
}

export async function agentsOf(
  queries: Pick<Queries, "getWorkspaces">,
  overlaps: readonly Overlap[],
): Promise<ReadonlyMap<string, AgentId>> {
  const ids = new Set<WorkspaceId>(overlaps.flatMap(({ a, b }) => [a, b]));
  const found = ids.size === 0 ? [] : await queries.getWorkspaces([...ids]);
  return new Map(found.map(({ id, agentId }) => [id, agentId]));
}
