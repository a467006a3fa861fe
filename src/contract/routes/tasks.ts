import { z } from "zod";
import { TASK_DOORS, TASK_PRIORITIES, TASK_STATUSES } from "../../domain/tasks/task.ts";
import type { RouteContract } from "../route-contract.ts";
import { taskDetailShape, taskShape } from "../shapes/tasks.ts";
import { cursor, limit, NO_INPUT, ONLY_ID } from "./inputs.ts";

const reason = z.string().trim().max(2_000).optional();
const statuses = z
  .string()
  .max(300)
  .transform((text) => text.split(",").filter(Boolean))
  .pipe(z.array(z.enum(TASK_STATUSES)))
  .optional()
  .describe("One or several, separated by commas");

export const createTask = {
  ...NO_INPUT,
  method: "post",
  path: "/api/tasks",
  summary: "Ask for work: it is analysed, planned, and shown to people before anything is done.",
  body: z.strictObject({
    text: z
      .string()
      .max(20_000)
      .describe("What is to be done, in any words. `request` is another name for it"),
    workingDirectory: z.string().max(4_096).optional(),
    sample: z
      .boolean()
      .default(false)
      .describe("Works in a directory of its own below the data directory"),
    priority: z.enum(TASK_PRIORITIES).optional(),
    door: z.enum(TASK_DOORS).default("web").describe("Where the person asked"),
  }),
  status: 201,
  answer: taskShape,
} as const satisfies RouteContract;

export const listTasks = {
  ...NO_INPUT,
  method: "get",
  path: "/api/tasks",
  summary: "Tasks, newest first, and how many there are by status.",
  query: z.strictObject({
    status: statuses,
    q: z.string().max(200).optional().describe("Part of the request, the title or the id"),
    limit: limit(200, 50),
    cursor,
  }),
  answer: z.object({
    tasks: z.array(taskShape),
    counts: z.record(z.enum(TASK_STATUSES), z.number()),
    nextCursor: z.string().nullable(),
  }),
} as const satisfies RouteContract;

export const getTask = {
  ...ONLY_ID,
  method: "get",
  path: "/api/tasks/{id}",
  summary: "One task with every version of its prompt and steps, executions, approvals and calls.",
  answer: taskDetailShape,
} as const satisfies RouteContract;

const callInFlight = z.object({ agentId: z.string(), server: z.string(), tool: z.string() });

export const changeTask = {
  ...ONLY_ID,
  method: "patch",
  path: "/api/tasks/{id}",
  summary:
    "Block, unblock or cancel a task. The answer lists the agents that this stops; with dryRun nothing else happens.",
  query: z.strictObject({ dryRun: z.stringbool().default(false) }),
  body: z.strictObject({
    status: z.enum(["blocked", "in_progress", "cancelled"]),
    reason,
    version: z.int().optional().describe("Version of the task you saw; another one answers 409"),
  }),
  answer: z.object({
    task: taskShape,
    stopping: z.array(z.string()).describe("Agents that are (or would be) stopped"),
    cancelledCalls: z.array(callInFlight).describe("Calls of upstream tools that were under way"),
    unconfirmedCalls: z
      .array(callInFlight)
      .optional()
      .describe("Calls on other servers that did not confirm in time that they ended"),
    dryRun: z.boolean(),
  }),
} as const satisfies RouteContract;

export const retryTask = {
  ...ONLY_ID,
  method: "post",
  path: "/api/tasks/{id}/retry",
  summary: "Continue a failed task where it failed; finished steps are not repeated.",
  body: z.strictObject({ reason, version: z.int().optional() }).optional(),
  answer: taskShape,
} as const satisfies RouteContract;

export const listTaskEvents = {
  ...ONLY_ID,
  method: "get",
  path: "/api/tasks/{id}/events",
  summary: "The events of a task, oldest first.",
  query: z.strictObject({
    after: z.coerce.number<string | number>().int().nonnegative().default(0),
    limit: limit(1_000, 200),
  }),
  answer: z.object({
    events: z.array(
      z.object({
        id: z.number(),
        type: z.string(),
        at: z.string(),
        agentId: z.string().nullable(),
        data: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
} as const satisfies RouteContract;
