import type { Agent } from "../../../domain/agents/agent.ts";
import type { AgentId } from "../../../domain/ids.ts";
import type { Notification } from "../../../domain/notifications/notification.ts";
import type { Task } from "../../../domain/tasks/task.ts";
import type { Core } from "../../core.ts";
import type { CallInFlight } from "../../gateway/calls-in-flight.ts";
import { auditIn } from "../../people/audit.ts";
import type { StoredEvent, UnitOfWork } from "../../ports/store.ts";
import { moveTaskIn } from "../move-task.ts";
import { findConcerned, interruptAgentsIn, type Interrupt } from "./interrupt-agents.ts";
import { interruptExecutionIn } from "./interrupt-execution.ts";

/** A change of a task's status that is about to be committed, and what is left to do then. */
export type TaskChange = {
  readonly task: Task;
  readonly stopping: readonly AgentId[];
  readonly calls: readonly CallInFlight[];
  readonly events: readonly StoredEvent[];
  /** Their deadlines begin. */
  readonly notices: readonly Notification[];
  /** Their processes are ended at once. */
  readonly stopped: readonly Agent[];
};

/** The road of every stop: the task, its execution, everyone who works for it, and the record. */
export async function interruptTaskIn(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  interrupt: Interrupt,
): Promise<TaskChange> {
  const { as, by, reason } = interrupt;
  const { agents, calls } = await findConcerned(core, unit, task.id);
  const moved = await moveTaskIn(core, unit, task, as, { statusBy: by, statusReason: reason });
  const execution = await interruptExecutionIn(core, unit, task, agents, as);
  const told = await interruptAgentsIn(core, unit, agents, { ...interrupt, taskId: task.id });
  const stopping = agents.map(({ id }) => id);
  await auditIn(core, unit, {
    actor: by,
    action: `task.${as}`,
    subject: task.id,
    data: {
      reason,
      agents: stopping,
      calls: calls.map(({ id, agentId, server, tool }) => ({ id, agentId, server, tool })),
    },
  });
  return {
    task: moved.task,
    stopping,
    calls,
    events: [moved.event, ...execution, ...told.events],
    notices: told.notices,
    stopped: told.stopped,
  };
}
