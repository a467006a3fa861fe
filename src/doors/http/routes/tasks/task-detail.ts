import type { Core } from "../../../../app/core.ts";
import { viewTask } from "../../../../app/tasks/view-task.ts";
import { agentSummary } from "../../../../contract/shapes/agents.ts";
import { wireApproval } from "../../../../contract/shapes/approvals.ts";
import { wireExecution, wireToolCall } from "../../../../contract/shapes/executions.ts";
import { wireNotification } from "../../../../contract/shapes/notifications.ts";
import {
  type WireTaskDetail,
  wireProcess,
  wirePrompt,
  wireTask,
} from "../../../../contract/shapes/tasks.ts";

export async function wireTaskDetail(core: Core, id: string): Promise<WireTaskDetail> {
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
