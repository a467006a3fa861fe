import { z } from "zod";
import { OVERLAP_LEVELS, type Overlap } from "../../domain/workspaces/overlap.ts";
import {
  CHANGE_OUTCOMES,
  WORKSPACE_STATUSES,
  type Workspace,
  type WorkspaceBase,
} from "../../domain/workspaces/workspace.ts";
import { iso, isoOrNull } from "./iso.ts";

/** What a person must look at; `attentionText` of the domain has the sentence. */
export const attentionShape = z.discriminatedUnion("type", [
  z.object({ type: z.literal("file_too_large"), path: z.string(), bytes: z.number() }),
  z.object({ type: z.literal("file_unreadable"), path: z.string() }),
  z.object({ type: z.literal("too_many_new_files"), count: z.number() }),
  z.object({ type: z.literal("nested_repository"), path: z.string() }),
  z.object({ type: z.literal("submodule_work"), path: z.string() }),
  z.object({ type: z.literal("mass_deletion"), deleted: z.number(), total: z.number() }),
  z.object({ type: z.literal("other_branch"), branch: z.string().nullable() }),
  z.object({ type: z.literal("git_configuration_changed") }),
  z.object({ type: z.literal("wrote_outside"), path: z.string() }),
  z.object({ type: z.literal("setup_failed"), output: z.string() }),
  z.object({
    type: z.literal("damaged"),
    reason: z.string(),
    reasonJa: z.string().exactOptional().describe("The reason in Japanese"),
  }),
]);

export const workspaceShape = z.object({
  workspaceId: z.string(),
  agentId: z.string().describe("The agent that works in it, or the last one that did"),
  groupId: z.string(),
  taskId: z.string().nullable(),
  status: z.enum(WORKSPACE_STATUSES),
  outcome: z.enum(CHANGE_OUTCOMES).describe("What people decided about the change"),
  repository: z.string().describe("The checkout that the work was asked for in"),
  path: z.string().describe("The worktree"),
  branch: z.string(),
  base: z.string().nullable().describe("The commit the work began from"),
  basedOn: z.string().describe("HEAD, working-tree, a ref, an agent or the stage before"),
  target: z.string().nullable().describe("The branch to merge into"),
  version: z.number().describe("The newest version of the change; 0: none yet"),
  head: z.string().nullable(),
  files: z.number(),
  added: z.number(),
  removed: z.number(),
  attention: z.array(attentionShape),
  ports: z.object({ from: z.number(), count: z.number() }).nullable(),
  diskBytes: z.number().nullable(),
  createdAt: z.string(),
  capturedAt: z.string().nullable(),
  closedAt: z.string().nullable(),
  retiredAt: z.string().nullable(),
});
export type WireWorkspace = z.infer<typeof workspaceShape>;

export function wireWorkspace(workspace: Workspace): WireWorkspace {
  return {
    workspaceId: workspace.id,
    agentId: workspace.agentId,
    groupId: workspace.groupId,
    taskId: workspace.taskId,
    status: workspace.status,
    outcome: workspace.outcome,
    repository: workspace.source,
    path: workspace.path,
    branch: workspace.branch,
    base: workspace.base,
    basedOn: baseText(workspace.basedOn),
    target: workspace.target,
    version: workspace.version,
    head: workspace.head,
    files: workspace.files,
    added: workspace.added,
    removed: workspace.removed,
    attention: [...workspace.attention],
    ports: workspace.ports && { ...workspace.ports },
    diskBytes: workspace.diskBytes,
    createdAt: iso(workspace.createdAt),
    capturedAt: isoOrNull(workspace.capturedAt),
    closedAt: isoOrNull(workspace.closedAt),
    retiredAt: isoOrNull(workspace.retiredAt),
  };
}

/** As a caller writes it in `base`. */
export function baseText(base: WorkspaceBase): string {
  switch (base.kind) {
    case "head":
      return "HEAD";
    case "working-tree":
      return "working-tree";
    case "ref":
      return base.ref;
    case "agent":
      return base.agentId;
    case "stage":
      return `stage ${base.stageIndex}`;
  }
}

export const overlapShape = z.object({
  workspaceId: z.string(),
  agentId: z.string(),
  otherWorkspaceId: z.string(),
  otherAgentId: z.string(),
  level: z.enum(OVERLAP_LEVELS),
  paths: z.array(z.string()),
  at: z.string(),
});
export type WireOverlap = z.infer<typeof overlapShape>;

/** As seen from `of`; the agents of the two workspaces are looked up by the caller. */
export function wireOverlap(
  overlap: Overlap,
  of: string,
  agentOf: (workspaceId: string) => string,
): WireOverlap {
  const other = overlap.a === of ? overlap.b : overlap.a;
  return {
    workspaceId: of,
    agentId: agentOf(of),
    otherWorkspaceId: other,
    otherAgentId: agentOf(other),
    level: overlap.level,
    paths: [...overlap.paths],
    at: iso(overlap.at),
  };
}
