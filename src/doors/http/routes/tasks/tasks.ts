import { z } from "zod";
import { changeTaskStatus } from "../../../../app/tasks/change-task-status.ts";
import { createTask } from "../../../../app/tasks/create-task.ts";
import { listTasks } from "../../../../app/tasks/list-tasks.ts";
import { requireTask } from "../../../../app/tasks/require-task.ts";
import { retryTask } from "../../../../app/tasks/retry-task.ts";
import { iso } from "../../../../contract/iso.ts";
import { taskShape, wireTask } from "../../../../contract/task-shapes.ts";
import { TASK_DOORS, TASK_PRIORITIES, TASK_STATUSES } from "../../../../domain/tasks/task.ts";
import { defineRoute, type AnyRoute } from "../../define-route.ts";
import { byId, cursor, limit, NO_BODY, NO_PARAMS, NO_QUERY } from "../inputs.ts";
import { taskDetailShape, wireTaskDetail } from "./task-detail.ts";

const reason = z.string().trim().max(2_000).optional();
const statuses = z
  .string()
  .max(300)
  .transform((text) => text.split(",").filter(Boolean))
  .pipe(z.array(z.enum(TASK_STATUSES)))
  .optional()
  .describe("One or several, with commas between them");

const create = defineRoute({
  method: "post",
  path: "/api/tasks",
  summary: "Ask for work: it is analysed, planned, and shown to people before anything is done.",
  params: NO_PARAMS,
  query: NO_QUERY,
  body: z.strictObject({
    text: z.string().max(20_000).describe("What is to be done, in any words"),
    workingDirectory: z.string().max(4_096).optional(),
    priority: z.enum(TASK_PRIORITIES).optional(),
    door: z.enum(TASK_DOORS).default("web").describe("Where the person asked"),
  }),
  status: 201,
  answer: taskShape,
  async run(core, { body }, identity) {
    const task = await createTask(core, identity, {
      request: body.text,
      door: body.door,
      ...(body.workingDirectory && { workingDirectory: body.workingDirectory }),
      ...(body.priority && { priority: body.priority }),
    });
    return wireTask(task);
  },
});

const list = defineRoute({
  method: "get",
  path: "/api/tasks",
  summary: "Tasks, newest first, and how many there are by status.",
  params: NO_PARAMS,
  query: z.strictObject({
    status: statuses,
    q: z.string().max(200).optional().describe("Part of the request, the title or the id"),
    limit: limit(200, 50),
    cursor,
  }),
  body: NO_BODY,
  answer: z.object({
    tasks: z.array(taskShape),
    counts: z.record(z.enum(TASK_STATUSES), z.number()),
    nextCursor: z.string().nullable(),
  }),
  async run(core, { query }) {
    const page = await listTasks(core, {
      limit: query.limit,
      ...(query.status && { statuses: query.status }),
      ...(query.q && { text: query.q }),
      ...(query.cursor && { cursor: query.cursor }),
    });
    const counts = await core.store.countTasks();
    return { tasks: page.tasks.map(wireTask), counts, nextCursor: page.nextCursor };
  },
});

const get = defineRoute({
  method: "get",
  path: "/api/tasks/{id}",
  summary: "One task with every version of its policy and steps, executions, approvals and calls.",
  params: byId,
  query: NO_QUERY,
  body: NO_BODY,
  answer: taskDetailShape,
  run: (core, { params }) => wireTaskDetail(core, params.id),
});

const change = defineRoute({
  method: "patch",
  path: "/api/tasks/{id}",
  summary: "Block, unblock or cancel a task. Says which agents that stops; dryRun only says so.",
  params: byId,
  query: z.strictObject({ dryRun: z.stringbool().default(false) }),
  body: z.strictObject({
    status: z.enum(["blocked", "in_progress", "cancelled"]),
    reason,
    version: z.int().optional().describe("Of the task as you saw it; else 409"),
  }),
  answer: z.object({
    task: taskShape,
    stopping: z.array(z.string()).describe("Agents that are (or would be) stopped"),
    cancelledCalls: z
      .array(z.object({ agentId: z.string(), server: z.string(), tool: z.string() }))
      .describe("Calls of upstream tools that were under way"),
    dryRun: z.boolean(),
  }),
  async run(core, { params, query, body }, identity) {
    const changed = await changeTaskStatus(core, identity, {
      taskId: params.id,
      status: body.status,
      dryRun: query.dryRun,
      ...(body.reason !== undefined && { reason: body.reason }),
      ...(body.version !== undefined && { version: body.version }),
    });
    return {
      task: wireTask(changed.task),
      stopping: [...changed.stopping],
      cancelledCalls: changed.cancelledCalls.map(({ agentId, server, tool }) => ({
        agentId,
        server,
        tool,
      })),
      dryRun: query.dryRun,
    };
  },
});

const retry = defineRoute({
  method: "post",
  path: "/api/tasks/{id}/retry",
  summary: "Go on with a failed task where it failed; what was done stays done.",
  params: byId,
  query: NO_QUERY,
  body: z.strictObject({ reason, version: z.int().optional() }).optional(),
  answer: taskShape,
  async run(core, { params, body }, identity) {
    const seen = {
      ...(body?.reason !== undefined && { reason: body.reason }),
      ...(body?.version !== undefined && { version: body.version }),
    };
    return wireTask(await retryTask(core, identity, params.id, seen));
  },
});

const events = defineRoute({
  method: "get",
  path: "/api/tasks/{id}/events",
  summary: "What happened to a task, oldest first.",
  params: byId,
  query: z.strictObject({
    after: z.coerce.number().int().nonnegative().default(0),
    limit: limit(1_000, 200),
  }),
  body: NO_BODY,
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
  async run(core, { params, query }) {
    const { id } = await requireTask(core.store, params.id);
    const found = await core.store.listTaskEvents(id, query.after, query.limit);
    return {
      events: found.map(({ seq, type, at, agentId, data }) => ({
        id: seq,
        type,
        at: iso(at),
        agentId,
        data,
      })),
    };
  },
});

export const TASK_ROUTES: readonly AnyRoute[] = [create, list, get, change, retry, events];
