import type { AnyTool } from "./define-tool.ts";
import { askHuman } from "./tools/ask-human.ts";
import { cancelAgent } from "./tools/cancel-agent.ts";
import { createGroup } from "./tools/create-group.ts";
import { createTask } from "./tools/create-task.ts";
import { decideApproval } from "./tools/decide-approval.ts";
import { deleteGroup } from "./tools/delete-group.ts";
import { getAgentStatus } from "./tools/get-agent-status.ts";
import { getNotifications } from "./tools/get-notifications.ts";
import { getTask } from "./tools/get-task.ts";
import { listAgents } from "./tools/list-agents.ts";
import { listApprovals } from "./tools/list-approvals.ts";
import { listRoles } from "./tools/list-roles.ts";
import { reportCompleted } from "./tools/report-completed.ts";
import { reportProgress } from "./tools/report-progress.ts";
import { reportResult } from "./tools/report-result.ts";
import { runAgents } from "./tools/run-agents.ts";
import { runMagentic } from "./tools/run-magentic.ts";
import { runSequential } from "./tools/run-sequential.ts";
import { sendMessage } from "./tools/send-message.ts";
import { updateLedger } from "./tools/update-ledger.ts";
import { waitAgent } from "./tools/wait-agent.ts";

/** The one list of what MCP clients can do. */
export const TOOLS: readonly AnyTool[] = [
  createGroup,
  deleteGroup,
  runAgents,
  runSequential,
  runMagentic,
  listAgents,
  getAgentStatus,
  waitAgent,
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
