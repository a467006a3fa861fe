import {
  changeTaskStatus,
  type TaskStatusChanged,
} from "../../../../app/tasks/change-task-status.ts";
import { createTask } from "../../../../app/tasks/create-task.ts";
import { listTasks } from "../../../../app/tasks/list-tasks.ts";
import { requireTask } from "../../../../app/tasks/require-task.ts";
import { retryTask } from "../../../../app/tasks/retry-task.ts";
import * as contract from "../../../../contract/routes/tasks.ts";
import { iso } from "../../../../contract/shapes/iso.ts";
import { wireTask } from "../../../../contract/shapes/tasks.ts";
import { defineRoute, type Route } from "../../define-route.ts";
import { wireTaskDetail } from "./task-detail.ts";

const create = defineRoute(contract.createTask, {
  // As the answer and the MCP tool call it.
  otherNames: { request: "text" },
  async run(core, { body }, identity) {
    const task = await createTask(core, identity, {
      request: body.text,
      door: body.door,
      isSample: body.sample,
      ...(body.workingDirectory && { workingDirectory: body.workingDirectory }),
      ...(body.priority && { priority: body.priority }),
    });
    return wireTask(task);
  },
});

const list = defineRoute(contract.listTasks, {
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

const get = defineRoute(contract.getTask, {
  run: (core, { params }) => wireTaskDetail(core, params.id),
});

const change = defineRoute(contract.changeTask, {
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
      cancelledCalls: changed.cancelledCalls.map(toCall),
      ...(changed.unconfirmedCalls.length > 0 && {
        unconfirmedCalls: changed.unconfirmedCalls.map(toCall),
      }),
      dryRun: query.dryRun,
    };
  },
});

function toCall({ agentId, server, tool }: TaskStatusChanged["cancelledCalls"][number]) {
  return { agentId, server, tool };
}

const retry = defineRoute(contract.retryTask, {
  async run(core, { params, body }, identity) {
    const seen = {
      ...(body?.reason !== undefined && { reason: body.reason }),
      ...(body?.version !== undefined && { version: body.version }),
    };
    return wireTask(await retryTask(core, identity, params.id, seen));
  },
});

const events = defineRoute(contract.listTaskEvents, {
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

export const TASK_ROUTES: readonly Route[] = [create, list, get, change, retry, events];
