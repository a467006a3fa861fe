import type { AgentId, CommentId, WorkspaceId } from "../ids.ts";
import type { Attention } from "../workspaces/attention.ts";

/** One captured state of a change; approvals and comments name its number. */
export type ChangeVersion = {
  readonly workspaceId: WorkspaceId;
  /** From 1. */
  readonly version: number;
  readonly agentId: AgentId;
  readonly base: string;
  readonly commit: string;
  readonly tree: string;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** Paths of the changed files, at most MAX_LISTED_PATHS. */
  readonly paths: readonly string[];
  readonly attention: readonly Attention[];
  readonly at: number;
};

export const MAX_LISTED_PATHS = 2_000;

export const COMMENT_STATUSES = ["draft", "sent", "resolved"] as const;
export type CommentStatus = (typeof COMMENT_STATUSES)[number];

/** A person's note on lines of a change. The quoted lines find its place in later versions. */
export type ChangeComment = {
  readonly id: CommentId;
  readonly workspaceId: WorkspaceId;
  readonly version: number;
  readonly path: string;
  /** `old`: lines that the change removes. null: the comment is about the whole file. */
  readonly side: "old" | "new" | null;
  readonly line: number | null;
  readonly endLine: number | null;
  /** The commented lines as they were. */
  readonly quote: string;
  readonly body: string;
  readonly author: string;
  readonly status: CommentStatus;
  readonly createdAt: number;
  readonly sentAt: number | null;
  /** The agent that got it. */
  readonly sentTo: AgentId | null;
  readonly revision: number;
};
