import type { Route } from "./define-route.ts";
import { cancelAgent } from "./routes/agents/cancel-agent.ts";
import { getAgent } from "./routes/agents/get-agent.ts";
import { getPrompt } from "./routes/agents/get-prompt.ts";
import { getTranscript } from "./routes/agents/get-transcript.ts";
import { listAgents } from "./routes/agents/list-agents.ts";
import { listFiles } from "./routes/agents/list-files.ts";
import { listHistory } from "./routes/agents/list-history.ts";
import { listUsage } from "./routes/agents/list-usage.ts";
import { sendMessage } from "./routes/agents/send-message.ts";
import { ALERT_ROUTES } from "./routes/alerts/alerts.ts";
import { APPROVAL_ROUTES } from "./routes/approvals/approvals.ts";
import { CHANGE_ROUTES } from "./routes/changes/changes.ts";
import { GATEWAY_ROUTES } from "./routes/gateway/gateway.ts";
import { createGroup } from "./routes/groups/create-group.ts";
import { deleteGroup } from "./routes/groups/delete-group.ts";
import { getGroup } from "./routes/groups/get-group.ts";
import { listGroups } from "./routes/groups/list-groups.ts";
import { stopGroup } from "./routes/groups/stop-group.ts";
import { HEALTH_ROUTES } from "./routes/health/health.ts";
import { getHome } from "./routes/home.ts";
import { JOB_ROUTES } from "./routes/jobs/jobs.ts";
import { MERGE_ROUTES } from "./routes/merges/merges.ts";
import { listNotifications } from "./routes/notifications/list-notifications.ts";
import { AUDIT_ROUTES } from "./routes/people/audit.ts";
import { createSlackCode, getMe } from "./routes/people/me.ts";
import { TRUST_ROUTES } from "./routes/people/trust.ts";
import { ROLE_TOOL_ROUTES } from "./routes/roles/role-tools.ts";
import { ROLE_ROUTES } from "./routes/roles/roles.ts";
import { SCHEDULE_ROUTES } from "./routes/schedules/schedules.ts";
import { getServers } from "./routes/servers/servers.ts";
import { getSettings } from "./routes/settings.ts";
import { SLACK_ROUTES } from "./routes/slack/workspaces.ts";
import { EXECUTION_ROUTES } from "./routes/tasks/executions.ts";
import { TASK_ROUTES } from "./routes/tasks/tasks.ts";
import { TEMPLATE_ROUTES } from "./routes/templates/templates.ts";
import { WORKER_ROUTES } from "./routes/workers/workers.ts";
import { WORKSPACE_ROUTES } from "./routes/workspaces/workspaces.ts";

/** All REST routes that use the core. */
export const ROUTES: readonly Route[] = [
  getMe,
  createSlackCode,
  getSettings,
  getServers,
  getHome,
  listGroups,
  createGroup,
  getGroup,
  deleteGroup,
  stopGroup,
  listAgents,
  getAgent,
  getPrompt,
  getTranscript,
  listFiles,
  sendMessage,
  cancelAgent,
  listHistory,
  listUsage,
  listNotifications,
  ...ALERT_ROUTES,
  ...TASK_ROUTES,
  ...TEMPLATE_ROUTES,
  ...SCHEDULE_ROUTES,
  ...APPROVAL_ROUTES,
  ...EXECUTION_ROUTES,
  ...AUDIT_ROUTES,
  ...GATEWAY_ROUTES,
  ...HEALTH_ROUTES,
  ...ROLE_ROUTES,
  ...ROLE_TOOL_ROUTES,
  ...SLACK_ROUTES,
  ...TRUST_ROUTES,
  ...JOB_ROUTES,
  ...WORKER_ROUTES,
  ...WORKSPACE_ROUTES,
  ...CHANGE_ROUTES,
  ...MERGE_ROUTES,
];
