import { z } from "zod";
import type { Execution } from "../../domain/tasks/execution.ts";
import type { Task } from "../../domain/tasks/task.ts";
import { iso, isoOrNull } from "./iso.ts";
import { taskShape } from "./tasks.ts";

/** What a new person does first, in this order. */
export const FIRST_STEPS = ["task", "approve", "block", "client", "cli", "team"] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

const SUMMARY_CHARS = 400;

/** A task with what came out of it, for the home page. */
const recentTask = taskShape
  .pick({
    taskId: true,
    title: true,
    status: true,
    requester: true,
    door: true,
    statusReason: true,
    createdAt: true,
    updatedAt: true,
    endedAt: true,
  })
  .extend({
    request: z.string().describe("Its beginning"),
    summary: z.string().nullable().describe("Beginning of the result of the last attempt"),
    stepsDone: z.number(),
    stepsTotal: z.number(),
  });

export const homeShape = z.object({
  recent: z.array(recentTask).describe("Newest first"),
  firstSteps: z.array(z.object({ id: z.enum(FIRST_STEPS), done: z.boolean() })),
  client: z.string().nullable().describe("Name of the MCP client that was seen last"),
  workingDirectory: z.string().describe("Where a task works that names no directory"),
});
export type WireHome = z.infer<typeof homeShape>;

export function wireRecent(
  task: Task,
  execution: Execution | undefined,
): z.infer<typeof recentTask> {
  const found = task.failure?.message ?? execution?.error ?? execution?.summary ?? null;
  return {
    taskId: task.id,
    title: task.title,
    request: task.request.slice(0, SUMMARY_CHARS),
    status: task.status,
    requester: task.requester,
    door: task.door,
    statusReason: task.statusReason,
    createdAt: iso(task.createdAt),
    updatedAt: iso(task.updatedAt),
    endedAt: isoOrNull(task.endedAt),
    summary: found === null ? null : found.slice(0, SUMMARY_CHARS),
    stepsDone: execution?.steps.filter(({ status }) => status === "done").length ?? 0,
    stepsTotal: execution?.steps.length ?? 0,
  };
}
