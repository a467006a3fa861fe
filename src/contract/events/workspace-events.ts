import { z } from "zod";
import { OVERLAP_LEVELS } from "../../domain/workspaces/overlap.ts";
import { mergeShape } from "../shapes/merges.ts";
import { workspaceShape } from "../shapes/workspaces.ts";
import { defineEvent } from "./define-event.ts";

const workspace = workspaceShape.pick({
  workspaceId: true,
  taskId: true,
  status: true,
  outcome: true,
  branch: true,
  version: true,
  files: true,
  added: true,
  removed: true,
}).shape;

const merge = mergeShape.pick({
  mergeId: true,
  workspaceId: true,
  taskId: true,
  version: true,
  target: true,
  mode: true,
  status: true,
  approvalId: true,
  result: true,
  problem: true,
}).shape;

export const WORKSPACE_EVENTS = [
  defineEvent(
    "workspace:updated",
    "agent",
    "stored",
    "A worktree is prepared, captured, decided about or removed.",
    workspace,
  ),
  defineEvent(
    "workspace:overlaps_changed",
    "agent",
    "stored",
    "Other changes touch the same files as this one, or do not any more.",
    {
      workspaceId: z.string(),
      level: z.enum(OVERLAP_LEVELS).nullable().describe("The worst one; null: there is none"),
      others: z.array(z.string()).describe("The agents of the other changes"),
    },
  ),
  defineEvent("change:commented", "agent", "stored", "A person commented a change.", {
    workspaceId: z.string(),
    commentId: z.string(),
    by: z.string(),
  }),
  defineEvent("change:sent_back", "agent", "stored", "An agent got the comments of people.", {
    workspaceId: z.string(),
    comments: z.number(),
    by: z.string(),
    nextAgentId: z.string(),
  }),
  defineEvent("merge:updated", "agent", "stored", "A merge has a new status.", merge),
] as const;
