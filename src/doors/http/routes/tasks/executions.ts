import { z } from "zod";
import type { Core } from "../../../../app/core.ts";
import { changeTaskStatus } from "../../../../app/tasks/change-task-status.ts";
import { requireExecution } from "../../../../app/tasks/execution/require-execution.ts";
import { retryTask } from "../../../../app/tasks/retry-task.ts";
import {
  executionShape,
  taskShape,
  toolCallShape,
  wireExecution,
  wireTask,
  wireToolCall,
} from "../../../../contract/task-shapes.ts";
import { Refusal } from "../../../../domain/refusal.ts";
import type { Execution } from "../../../../domain/tasks/execution.ts";
import { defineRoute, type AnyRoute } from "../../define-route.ts";
import { byId, NO_BODY, NO_QUERY } from "../inputs.ts";

const reason = z.strictObject({ reason: z.string().trim().max(2_000).optional() }).optional();

const get = defineRoute({
  method: "get",
  path: "/api/executions/{id}",
  summary: "One attempt with its steps and the calls it made.",
  params: byId,
  query: NO_QUERY,
  body: NO_BODY,
  answer: executionShape.extend({ toolCalls: z.array(toolCallShape) }),
  async run(core, { params }) {
    const execution = await requireExecution(core.store, params.id);
    const calls = await core.store.listToolCalls(execution.id);
    return {
      ...wireExecution(execution, core.clock.now()),
      toolCalls: calls.map(wireToolCall),
    };
  },
});

const cancel = defineRoute({
  method: "post",
  path: "/api/executions/{id}/cancel",
  summary: "Cancel the task an execution belongs to.",
  params: byId,
  query: NO_QUERY,
  body: reason,
  answer: z.object({ task: taskShape, stopping: z.array(z.string()) }),
  async run(core, { params, body }, identity) {
    const execution = await requireNewest(core, params.id);
    const { task, stopping } = await changeTaskStatus(core, identity, {
      taskId: execution.taskId,
      status: "cancelled",
      ...(body?.reason !== undefined && { reason: body.reason }),
    });
    return { task: wireTask(task), stopping: [...stopping] };
  },
});

const retry = defineRoute({
  method: "post",
  path: "/api/executions/{id}/retry",
  summary: "Start the next attempt of a failed execution; what was done stays done.",
  params: byId,
  query: NO_QUERY,
  body: reason,
  answer: taskShape,
  async run(core, { params, body }, identity) {
    const { taskId } = await requireNewest(core, params.id);
    const why = body?.reason === undefined ? {} : { reason: body.reason };
    return wireTask(await retryTask(core, identity, taskId, why));
  },
});

/** A button on the card of an earlier attempt must not stop or start the present one. */
async function requireNewest(core: Core, id: string): Promise<Execution> {
  const execution = await requireExecution(core.store, id);
  const task = await core.store.getTask(execution.taskId);
  if (task?.executionId === execution.id) return execution;
  throw new Refusal(
    "TRANSITION_NOT_ALLOWED",
    `Attempt ${execution.attempt} is over; the task has a newer one.`,
    `Use execution ${task?.executionId ?? "of the task"}.`,
  );
}

export const EXECUTION_ROUTES: readonly AnyRoute[] = [get, cancel, retry];
