import type { AnyTool } from "./define-tool.ts";
import { cancelAgent } from "./tools/agents/cancel-agent.ts";
import { getAgentStatus } from "./tools/agents/get-agent-status.ts";
import { listAgents } from "./tools/agents/list-agents.ts";
import { reportCompleted } from "./tools/agents/report-completed.ts";
import { reportResult } from "./tools/agents/report-result.ts";
import { waitAgent } from "./tools/agents/wait-agent.ts";
import { askHuman } from "./tools/approvals/ask-human.ts";
import { decideApproval } from "./tools/approvals/decide-approval.ts";
import { listApprovals } from "./tools/approvals/list-approvals.ts";
import { getChanges } from "./tools/changes/get-changes.ts";
import { createGroup } from "./tools/groups/create-group.ts";
import { deleteGroup } from "./tools/groups/delete-group.ts";
import { runAgents } from "./tools/groups/run-agents.ts";
import { runMagentic } from "./tools/groups/run-magentic.ts";
import { runSequential } from "./tools/groups/run-sequential.ts";
import { updateLedger } from "./tools/groups/update-ledger.ts";
import { getNotifications } from "./tools/notifications/get-notifications.ts";
import { sendMessage } from "./tools/notifications/send-message.ts";
import { listRoles } from "./tools/roles/list-roles.ts";
import { createTask } from "./tools/tasks/create-task.ts";
import { getTask } from "./tools/tasks/get-task.ts";
import { reportProgress } from "./tools/tasks/report-progress.ts";

/** All of our own tools. */
export const TOOLS: readonly AnyTool[] = [
  createGroup,
  deleteGroup,
  runAgents,
  runSequential,
  runMagentic,
  listAgents,
  getAgentStatus,
  waitAgent,
  getChanges,
  reportResult,
  listRoles,
  cancelAgent,
  sendMessage,
  getNotifications,
  updateLedger,
  reportCompleted,
  reportProgress,
  askHuman,
  createTask,
  getTask,
  listApprovals,
  decideApproval,
];
