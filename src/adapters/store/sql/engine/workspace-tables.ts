import type { Generated } from "kysely";
import type { ChangeComment } from "../../../../domain/changes/change.ts";
import type {
  AgentId,
  ApprovalId,
  CommentId,
  GroupId,
  MergeId,
  TaskId,
  WorkspaceId,
} from "../../../../domain/ids.ts";
import type { Merge } from "../../../../domain/merges/merge.ts";
import type { Overlap } from "../../../../domain/workspaces/overlap.ts";
import type { Workspace } from "../../../../domain/workspaces/workspace.ts";
import type { Flag } from "./tables.ts";

export type WorkspaceTables = {
  workspaces: WorkspaceTable;
  change_versions: ChangeVersionTable;
  change_comments: ChangeCommentTable;
  workspace_overlaps: OverlapTable;
  merges: MergeTable;
  pending_ends: PendingEndTable;
};

export type WorkspaceTable = {
  /** Order of insertion. */
  seq: Generated<number>;
  id: WorkspaceId;
  agent_id: AgentId;
  group_id: GroupId;
  task_id: TaskId | null;
  requester: string | null;
  status: Workspace["status"];
  outcome: Workspace["outcome"];
  repository: string;
  source: string;
  prefix: string;
  path: string;
  /** The worker that has the worktree; null in SQLite. */
  worker_id: string | null;
  /** The server that has the change; null in SQLite. */
  server_id: string | null;
  fetch_problem: string | null;
  branch: string;
  based_on: string;
  base: string | null;
  start: string | null;
  target: string | null;
  version: number;
  head: string | null;
  files: number;
  added: number;
  removed: number;
  attention: string;
  /** Both columns of the ports are null, or none is. */
  port_from: number | null;
  port_count: number | null;
  disk_bytes: number | null;
  fingerprint: string | null;
  created_at: number;
  captured_at: number | null;
  closed_at: number | null;
  retired_at: number | null;
  revision: number;
};

export type ChangeVersionTable = {
  workspace_id: WorkspaceId;
  version: number;
  agent_id: AgentId;
  base: string;
  commit_id: string;
  tree_id: string;
  files: number;
  added: number;
  removed: number;
  paths: string;
  attention: string;
  at: number;
};

export type ChangeCommentTable = {
  /** Order of insertion. */
  seq: Generated<number>;
  id: CommentId;
  workspace_id: WorkspaceId;
  version: number;
  path: string;
  side: ChangeComment["side"];
  line: number | null;
  end_line: number | null;
  quote: string;
  body: string;
  author: string;
  status: ChangeComment["status"];
  created_at: number;
  sent_at: number | null;
  sent_to: AgentId | null;
  revision: number;
};

export type OverlapTable = {
  a: WorkspaceId;
  b: WorkspaceId;
  level: Overlap["level"];
  paths: string;
  at: number;
};

export type MergeTable = {
  /** Order of insertion. */
  seq: Generated<number>;
  id: MergeId;
  workspace_id: WorkspaceId;
  agent_id: AgentId;
  group_id: GroupId;
  task_id: TaskId | null;
  repository: string;
  version: number;
  change_commit: string;
  base: string;
  target: string;
  mode: Merge["mode"];
  message: string;
  status: Merge["status"];
  approval_id: ApprovalId | null;
  requester: string;
  into_checkout: Flag;
  from_commit: string | null;
  result_commit: string | null;
  check_exit: number | null;
  check_output: string | null;
  /** Null: the server that leads. */
  server_id: string | null;
  problem: string | null;
  conflicts: string;
  created_at: number;
  queued_at: number | null;
  ended_at: number | null;
  revision: number;
};

export type PendingEndTable = { agent_id: AgentId; end: string };
