import { z } from "zod";
import { CHANGE_OUTCOMES, WORKSPACE_STATUSES } from "../../domain/workspaces/workspace.ts";
import type { RouteContract } from "../route-contract.ts";
import { overlapShape, workspaceShape } from "../shapes/workspaces.ts";
import { cursor, idText, limit, NO_INPUT, ONLY_ID } from "./inputs.ts";

export const listWorkspaces = {
  ...NO_INPUT,
  method: "get",
  path: "/api/workspaces",
  summary: "Worktrees of agents with their disk use, newest first.",
  query: z.strictObject({
    groupId: idText.optional(),
    taskId: idText.optional(),
    status: z.enum(WORKSPACE_STATUSES).optional(),
    outcome: z.enum(CHANGE_OUTCOMES).optional(),
    limit: limit(500, 100),
    cursor,
  }),
  answer: z.object({
    workspaces: z.array(workspaceShape),
    openChanges: z.number().describe("Changes that wait for a decision, of all pages"),
    diskBytes: z.number().describe("Of all worktrees"),
    maxBytes: z.number().nullable().describe("workspace.maxTotal_mb; null: no limit"),
    nextCursor: z.string().nullable(),
  }),
} as const satisfies RouteContract;

export const getWorkspace = {
  ...ONLY_ID,
  method: "get",
  path: "/api/workspaces/{id}",
  summary: "One worktree.",
  answer: workspaceShape,
} as const satisfies RouteContract;

export const retireWorkspace = {
  ...ONLY_ID,
  method: "post",
  path: "/api/workspaces/{id}/retire",
  summary: "Delete the directory of a worktree; its change stays as commits.",
  status: 202,
  answer: workspaceShape,
} as const satisfies RouteContract;

export const listOverlaps = {
  ...NO_INPUT,
  method: "get",
  path: "/api/overlaps",
  summary: "Pairs of open changes that touch the same files.",
  answer: z.object({ overlaps: z.array(overlapShape) }),
} as const satisfies RouteContract;
