import { z } from "zod";
import { MERGE_MODES } from "../../domain/merges/merge.ts";
import type { RouteContract } from "../route-contract.ts";
import { changeShape, commentShape, filePatchShape, groupChangeShape } from "../shapes/changes.ts";
import { mergeShape } from "../shapes/merges.ts";
import { workspaceShape } from "../shapes/workspaces.ts";
import { ONLY_ID } from "./inputs.ts";

const version = z.coerce
  .number<string | number>()
  .int()
  .min(1)
  .optional()
  .describe("Default: the newest");
const filePath = z.string().min(1).max(4_096);

export const getChange = {
  ...ONLY_ID,
  method: "get",
  path: "/api/changes/{id}",
  summary:
    "The change of one agent (id of the agent or of its workspace): files, comments, merges.",
  query: z.strictObject({ version }),
  answer: changeShape,
} as const satisfies RouteContract;

export const getChangedFile = {
  ...ONLY_ID,
  method: "get",
  path: "/api/changes/{id}/file",
  summary: "The patch of one file of a change.",
  query: z.strictObject({ path: filePath, version }),
  answer: filePatchShape,
} as const satisfies RouteContract;

export const getGroupChange = {
  ...ONLY_ID,
  method: "get",
  path: "/api/groups/{id}/change",
  summary: "The changes of a group's agents, and all of them merged.",
  answer: groupChangeShape,
} as const satisfies RouteContract;

export const getGroupChangedFile = {
  ...ONLY_ID,
  method: "get",
  path: "/api/groups/{id}/change/file",
  summary: "The patch of one file of the merged changes of a group.",
  query: z.strictObject({ path: filePath }),
  answer: filePatchShape,
} as const satisfies RouteContract;

export const getTaskChanges = {
  ...ONLY_ID,
  method: "get",
  path: "/api/tasks/{id}/changes",
  summary: "The changes of a task's agents.",
  answer: z.object({ taskId: z.string(), changes: z.array(workspaceShape) }),
} as const satisfies RouteContract;

export const addComment = {
  ...ONLY_ID,
  method: "post",
  path: "/api/changes/{id}/comments",
  summary: "Comment lines of a change. Agents get comments when the change is sent back.",
  body: z.strictObject({
    version: z.int().min(1),
    path: filePath,
    side: z.enum(["old", "new"]).nullable().default(null).describe("null: the whole file"),
    line: z.int().min(1).nullable().default(null),
    endLine: z.int().min(1).nullable().default(null),
    body: z.string().trim().min(1).max(20_000),
  }),
  status: 201,
  answer: commentShape,
} as const satisfies RouteContract;

export const changeComment = {
  ...ONLY_ID,
  method: "patch",
  path: "/api/comments/{id}",
  summary: "Change the text of a comment that was not sent, or resolve a comment.",
  body: z.strictObject({
    body: z.string().trim().min(1).max(20_000).optional(),
    status: z.enum(["draft", "resolved"]).optional(),
  }),
  answer: commentShape,
} as const satisfies RouteContract;

export const deleteComment = {
  ...ONLY_ID,
  method: "delete",
  path: "/api/comments/{id}",
  summary: "Delete a comment that was not sent.",
  answer: z.object({ commentId: z.string() }),
} as const satisfies RouteContract;

export const sendBack = {
  ...ONLY_ID,
  method: "post",
  path: "/api/changes/{id}/send-back",
  summary: "Give the comments to the agent: it continues its conversation on the same branch.",
  body: z.strictObject({
    version: z.int().min(1).describe("The version that you saw"),
    message: z.string().trim().max(20_000).optional(),
  }),
  status: 202,
  answer: z.object({
    agentId: z.string().describe("The agent that works on it now"),
    continuesConversation: z
      .boolean()
      .describe("false: a new conversation, which begins with a summary of the earlier one"),
    comments: z.number(),
  }),
} as const satisfies RouteContract;

export const requestMerge = {
  ...ONLY_ID,
  method: "post",
  path: "/api/changes/{id}/merge",
  summary: "Ask for the approval to merge a version of the change into a branch.",
  body: z.strictObject({
    version: z.int().min(1).describe("The version that you saw"),
    target: z.string().min(1).max(250).optional().describe("Default: the branch it began from"),
    mode: z.enum(MERGE_MODES).optional().describe("Default: workspace.merge.mode"),
    message: z.string().trim().min(1).max(20_000).optional().describe("The commit message"),
    intoCheckout: z
      .boolean()
      .default(false)
      .describe("Fast-forward the checkout in which a person has the branch"),
  }),
  status: 201,
  answer: mergeShape,
} as const satisfies RouteContract;

export const discardChange = {
  ...ONLY_ID,
  method: "post",
  path: "/api/changes/{id}/discard",
  summary: "Decide against a change. Its commits are kept for a while.",
  body: z.strictObject({ reason: z.string().trim().max(10_000).optional() }),
  answer: workspaceShape,
} as const satisfies RouteContract;

export const openPullRequest = {
  ...ONLY_ID,
  method: "post",
  path: "/api/changes/{id}/pull-request",
  summary: "Push the branch and open a pull request with gh or glab.",
  body: z.strictObject({
    version: z.int().min(1),
    title: z.string().trim().min(1).max(250).optional(),
    body: z.string().trim().max(60_000).optional(),
    target: z.string().min(1).max(250).optional(),
  }),
  status: 201,
  answer: z.object({ url: z.string(), tool: z.enum(["gh", "glab"]) }),
} as const satisfies RouteContract;
