import { changeTaskStatus } from "../../../../app/tasks/change-task-status.ts";
import { requireExecution } from "../../../../app/tasks/execution/require-execution.ts";
import { requireNewestExecution } from "../../../../app/tasks/execution/require-newest-execution.ts";
import { retryTask } from "../../../../app/tasks/retry-task.ts";
import * as contract from "../../../../contract/routes/executions.ts";
import { wireExecution, wireToolCall } from "../../../../contract/shapes/executions.ts";
import { wireTask } from "../../../../contract/shapes/tasks.ts";
import { defineRoute, type Route } from "../../define-route.ts";

const get = defineRoute(contract.getExecution, {
  async run(core, { params }) {
    const execution = await requireExecution(core.store, params.id);
    const calls = await core.store.listToolCalls(execution.id);
    return {
      ...wireExecution(execution, core.clock.now()),
      toolCalls: calls.map(wireToolCall),
    };
  },
});

const cancel = defineRoute(contract.cancelExecution, {
  async run(core, { params, body }, identity) {
    const execution = await requireNewestExecution(core.store, params.id);
    const { task, stopping } = await changeTaskStatus(core, identity, {
      taskId: execution.taskId,
      status: "cancelled",
      ...(body?.reason !== undefined && { reason: body.reason }),
    });
    return { task: wireTask(task), stopping: [...stopping] };
  },
});

const retry = defineRoute(contract.retryExecution, {
  async run(core, { params, body }, identity) {
    const { taskId } = await requireNewestExecution(core.store, params.id);
    const why = body?.reason === undefined ? {} : { reason: body.reason };
    return wireTask(await retryTask(core, identity, taskId, why));
  },
});

export const EXECUTION_ROUTES: readonly Route[] = [get, cancel, retry];
