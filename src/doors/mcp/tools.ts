import type { AnyTool } from "./define-tool.ts";
import { createGroup } from "./tools/create-group.ts";
import { deleteGroup } from "./tools/delete-group.ts";
import { getAgentStatus } from "./tools/get-agent-status.ts";
import { listAgents } from "./tools/list-agents.ts";
import { listRoles } from "./tools/list-roles.ts";
import { reportResult } from "./tools/report-result.ts";
import { runAgents } from "./tools/run-agents.ts";
import { waitAgent } from "./tools/wait-agent.ts";

/** The one list of what MCP clients can do. */
export const TOOLS: readonly AnyTool[] = [
  createGroup,
  deleteGroup,
  runAgents,
  listAgents,
  getAgentStatus,
  waitAgent,
  reportResult,
  listRoles,
];
