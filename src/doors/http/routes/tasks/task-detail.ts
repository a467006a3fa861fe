import { z } from "zod";
import type { Core } from "../../../../app/core.ts";
import { viewTask } from "../../../../app/tasks/view-task.ts";
import { agentSummary, agentSummaryShape } from "../../../../contract/agent-shapes.ts";
import {
  approvalShape,
  executionShape,
  notificationShape,
  processShape,
  promptShape,
  taskShape,
  toolCallShape,
  wireApproval,
  wireExecution,
  wireNotification,
  wireProcess,
  wirePrompt,
  wireTask,
  wireToolCall,
} from "../../../../contract/task-shapes.ts";

/** What the four cards and the task page show. */
export const taskDetailShape = taskShape.extend({
  prompts: z.array(promptShape).describe("By version"),
  processes: z.array(processShape).describe("By version"),
  executions: z.array(executionShape).describe("By attempt"),
  approvals: z.array(approvalShape).describe("Newest first"),
  notifications: z.array(notificationShape),
  agents: z.array(agentSummaryShape.omit({ toolCallCount: true })),
  toolCalls: z.array(toolCallShape).describe("Calls of upstream tools, oldest first"),
});

export async function wireTaskDetail(
  core: Core,
  id: string,
): Promise<z.infer<typeof taskDetailShape>> {
  const view = await viewTask(core, id);
  const now = core.clock.now();
  return {
    ...wireTask(view.task),
    prompts: view.prompts.map(({ draft, approval }) => wirePrompt(draft, approval)),
    processes: view.processes.map(({ draft, approval }) => wireProcess(draft, approval)),
    executions: view.executions.map(({ execution }) => wireExecution(execution, now)),
    approvals: view.approvals.map(wireApproval),
    notifications: view.notifications.map(wireNotification),
    agents: view.agents.map((agent) => {
      const { toolCallCount: _count, ...shown } = agentSummary(agent, 0, now);
      return shown;
    }),
    toolCalls: view.toolCalls.map((call) => wireToolCall(call)),
  };
}
