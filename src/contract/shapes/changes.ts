import { z } from "zod";
import { COMMENT_STATUSES, type ChangeComment } from "../../domain/changes/change.ts";
import { iso, isoOrNull } from "./iso.ts";
import { mergeShape } from "./merges.ts";
import { overlapShape, workspaceShape } from "./workspaces.ts";

export const fileChangeShape = z.object({
  path: z.string(),
  from: z.string().nullable().describe("The earlier path of a renamed file"),
  status: z.enum(["added", "modified", "deleted", "renamed", "typechange"]),
  kind: z.enum(["file", "symlink", "submodule"]),
  isBinary: z.boolean(),
  added: z.number().nullable(),
  removed: z.number().nullable(),
  modeChanged: z.boolean(),
  lineEndingsOnly: z.boolean(),
  leavesTree: z.boolean().describe("A symbolic link to a place outside the worktree"),
});
export type WireFileChange = z.infer<typeof fileChangeShape>;

export const commentShape = z.object({
  commentId: z.string(),
  workspaceId: z.string(),
  version: z.number().describe("The version that was commented"),
  path: z.string(),
  side: z.enum(["old", "new"]).nullable(),
  line: z.number().nullable().describe("In `version`"),
  endLine: z.number().nullable(),
  currentLine: z
    .number()
    .nullable()
    .describe("The same lines in the version that was asked for; null: they are gone"),
  quote: z.string().describe("The commented lines"),
  body: z.string(),
  author: z.string(),
  status: z.enum(COMMENT_STATUSES),
  createdAt: z.string(),
  sentAt: z.string().nullable(),
  sentTo: z.string().nullable().describe("The agent that got it"),
});
export type WireComment = z.infer<typeof commentShape>;

export function wireComment(comment: ChangeComment, currentLine: number | null): WireComment {
  return {
    commentId: comment.id,
    workspaceId: comment.workspaceId,
    version: comment.version,
    path: comment.path,
    side: comment.side,
    line: comment.line,
    endLine: comment.endLine,
    currentLine,
    quote: comment.quote,
    body: comment.body,
    author: comment.author,
    status: comment.status,
    createdAt: iso(comment.createdAt),
    sentAt: isoOrNull(comment.sentAt),
    sentTo: comment.sentTo,
  };
}

const versionShape = z.object({
  version: z.number(),
  agentId: z.string(),
  commit: z.string(),
  files: z.number(),
  added: z.number(),
  removed: z.number(),
  at: z.string(),
});

/** Whether the change merges into its target now, without changing anything. */
export const previewShape = z.object({
  target: z.string(),
  isClean: z.boolean(),
  conflicts: z.array(z.object({ path: z.string(), type: z.string() })),
});

export const changeShape = z.object({
  workspace: workspaceShape,
  version: z.number().describe("The version shown; 0: nothing was captured yet"),
  versions: z.array(versionShape),
  files: z.array(fileChangeShape),
  overlaps: z.array(overlapShape),
  comments: z.array(commentShape),
  merges: z.array(mergeShape).describe("Newest first"),
  preview: previewShape.nullable().describe("null: there is no target or nothing to merge"),
  pullRequest: z
    .object({ tool: z.enum(["gh", "glab"]) })
    .nullable()
    .describe("null: neither gh nor glab is installed, or the repository has no remote"),
});
export type WireChange = z.infer<typeof changeShape>;

export const filePatchShape = z.object({
  path: z.string(),
  version: z.number(),
  patch: z
    .string()
    .nullable()
    .describe("Unified diff with its header lines; null: the file is binary or too long"),
  reason: z.enum(["binary", "too_long"]).optional(),
});

export const groupChangeShape = z.object({
  groupId: z.string(),
  changes: z.array(workspaceShape).describe("Oldest first"),
  overlaps: z.array(overlapShape),
  combined: z
    .object({
      commit: z.string().describe("What could be merged; changes in conflict are left out"),
      base: z.string(),
      files: z.array(fileChangeShape),
      conflicts: z.array(
        z.object({ workspaceId: z.string(), agentId: z.string(), path: z.string() }),
      ),
    })
    .nullable()
    .describe("All open changes merged in order; null: there are fewer than two"),
});
