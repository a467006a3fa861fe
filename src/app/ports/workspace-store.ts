import type { ChangeComment, ChangeVersion } from "../../domain/changes/change.ts";
import type { AgentId, WorkspaceId } from "../../domain/ids.ts";
import type { Merge, MergeStatus } from "../../domain/merges/merge.ts";
import type { Overlap } from "../../domain/workspaces/overlap.ts";
import type {
  ChangeOutcome,
  Workspace,
  WorkspaceStatus,
} from "../../domain/workspaces/workspace.ts";
import type { Observation } from "./supervisor.ts";

export type WorkspaceQuery = {
  readonly groupId?: string;
  readonly taskId?: string;
  readonly repository?: string;
  readonly statuses?: readonly WorkspaceStatus[];
  readonly outcomes?: readonly ChangeOutcome[];
  readonly limit: number;
  /** From the previous page; opaque. An invalid cursor is refused with INVALID_CURSOR. */
  readonly cursor?: string;
};
export type WorkspacePage = {
  readonly workspaces: readonly Workspace[];
  readonly nextCursor: string | null;
};

export type MergeQuery = {
  readonly workspaceId?: string;
  readonly groupId?: string;
  readonly taskId?: string;
  readonly statuses?: readonly MergeStatus[];
  readonly limit: number;
  readonly cursor?: string;
};
export type MergePage = { readonly merges: readonly Merge[]; readonly nextCursor: string | null };

/** How an agent's process ended, kept until its change is captured. */
export type PendingEnd = Extract<Observation, { type: "ended" }>;

export type WorkspaceQueries = {
  getWorkspace(id: string): Promise<Workspace | undefined>;
  getWorkspaces(ids: readonly string[]): Promise<readonly Workspace[]>;
  /** Newest first. */
  listWorkspaces(query: WorkspaceQuery): Promise<WorkspacePage>;
  /** Workspaces whose directory may exist: every status but `planned` and `retired`. */
  listPresentWorkspaces(): Promise<readonly Workspace[]>;
  /** Open changes of a repository whose directory or head exists, for overlaps. */
  listOpenWorkspaces(repository: string): Promise<readonly Workspace[]>;
  /** Unsettled agents that may write in this working tree. */
  listWritersIn(tree: string): Promise<readonly AgentId[]>;
  /** By version. */
  listVersions(workspaceId: WorkspaceId): Promise<readonly ChangeVersion[]>;
  getVersion(workspaceId: WorkspaceId, version: number): Promise<ChangeVersion | undefined>;
  /** Oldest first. */
  listComments(workspaceId: WorkspaceId): Promise<readonly ChangeComment[]>;
  getComment(id: string): Promise<ChangeComment | undefined>;
  listOverlapsOf(workspaceIds: readonly WorkspaceId[]): Promise<readonly Overlap[]>;
  listOverlaps(): Promise<readonly Overlap[]>;
  getMerge(id: string): Promise<Merge | undefined>;
  /** Newest first. */
  listMerges(query: MergeQuery): Promise<MergePage>;
  /** `queued` and `checking`, oldest approval first: the queue. */
  listQueuedMerges(): Promise<readonly Merge[]>;
  /** Ports that workspaces hold until they are retired; also a planned one, so that it keeps them. */
  listLeasedPorts(): Promise<readonly { readonly from: number; readonly count: number }[]>;
  /** Agents whose process is gone and whose change is not captured yet. */
  listCapturing(): Promise<readonly { readonly agentId: AgentId; readonly end: PendingEnd }[]>;
  /** Counts of open changes, for badges. */
  countOpenChanges(): Promise<number>;
};

export type WorkspaceChanges = {
  insertWorkspace(workspace: Workspace): Promise<void>;
  /** Refuses with VERSION_CONFLICT unless the row has the expected revision. */
  updateWorkspace(next: Workspace, expected: Workspace): Promise<Workspace>;
  /** Deletes the row with its versions, comments, overlaps and merges. */
  deleteWorkspace(id: WorkspaceId): Promise<void>;
  insertVersion(version: ChangeVersion): Promise<void>;
  insertComment(comment: ChangeComment): Promise<void>;
  updateComment(next: ChangeComment, expected: ChangeComment): Promise<ChangeComment>;
  deleteComment(id: string): Promise<void>;
  /**
   * Replaces every overlap of the workspace. Leaves out those with a workspace that is deleted: git
   * compared them before this transaction.
   */
  putOverlaps(workspaceId: WorkspaceId, overlaps: readonly Overlap[]): Promise<void>;
  insertMerge(merge: Merge): Promise<void>;
  updateMerge(next: Merge, expected: Merge): Promise<Merge>;
  putPendingEnd(agentId: AgentId, end: PendingEnd): Promise<void>;
  deletePendingEnd(agentId: AgentId): Promise<void>;
};
