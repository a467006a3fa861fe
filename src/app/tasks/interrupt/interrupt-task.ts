import type { AgentId } from "../../../domain/ids.ts";
import type { Task } from "../../../domain/tasks/task.ts";
import type { Core } from "../../core.ts";
import type { CallInFlight } from "../../gateway/calls-in-flight.ts";
import { recordAudit } from "../../people/audit.ts";
import type { UnitOfWork } from "../../ports/store.ts";
import { moveTask } from "../move-task.ts";
import { findAffected, interruptAgents, type Interrupt } from "./interrupt-agents.ts";
import { interruptExecution } from "./interrupt-execution.ts";

/** A change of a task's status, with the agents and calls that it stops. */
export type TaskChange = {
  readonly task: Task;
  readonly stopping: readonly AgentId[];
  readonly calls: readonly CallInFlight[];
};

/** The common part of blocking and cancelling: the task, its execution, its agents, the audit. */
export async function interruptTask(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  interrupt: Interrupt,
): Promise<TaskChange> {
  const { as, by, reason } = interrupt;
  const { agents, calls } = await findAffected(core, unit, task.id);
  const moved = await moveTask(core, unit, task, as, { statusBy: by, statusReason: reason });
  await interruptExecution(core, unit, task, agents, as);
  await interruptAgents(core, unit, agents, { ...interrupt, taskId: task.id });
  const stopping = agents.map(({ id }) => id);
  await recordAudit(core, unit, {
    actor: by,
    action: `task.${as}`,
    subject: task.id,
    data: {
      reason,
      agents: stopping,
      calls: calls.map(({ id, agentId, server, tool }) => ({ id, agentId, server, tool })),
    },
  });
  return { task: moved, stopping, calls };
}
