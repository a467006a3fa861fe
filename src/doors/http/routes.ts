import type { AnyRoute } from "./define-route.ts";
import { APPROVAL_ROUTES } from "./routes/approvals.ts";
import { AUDIT_ROUTES } from "./routes/audit.ts";
import { cancelAgent } from "./routes/cancel-agent.ts";
import { createGroup } from "./routes/create-group.ts";
import { deleteGroup } from "./routes/delete-group.ts";
import { EXECUTION_ROUTES } from "./routes/executions.ts";
import { GATEWAY_ROUTES } from "./routes/gateway.ts";
import { getAgent } from "./routes/get-agent.ts";
import { getGroup } from "./routes/get-group.ts";
import { getPrompt } from "./routes/get-prompt.ts";
import { getTranscript } from "./routes/get-transcript.ts";
import { HEALTH_ROUTES } from "./routes/health.ts";
import { listAgents } from "./routes/list-agents.ts";
import { listFiles } from "./routes/list-files.ts";
import { listGroups } from "./routes/list-groups.ts";
import { listHistory } from "./routes/list-history.ts";
import { listNotifications } from "./routes/list-notifications.ts";
import { listUsage } from "./routes/list-usage.ts";
import { getMe } from "./routes/me.ts";
import { ROLE_TOOL_ROUTES } from "./routes/role-tools.ts";
import { ROLE_ROUTES } from "./routes/roles.ts";
import { sendMessage } from "./routes/send-message.ts";
import { getSettings } from "./routes/settings.ts";
import { stopGroup } from "./routes/stop-group.ts";
import { TASK_ROUTES } from "./routes/tasks.ts";
import { TRUST_ROUTES } from "./routes/trust.ts";

/** The one list of what REST offers. */
export const ROUTES: readonly AnyRoute[] = [
  getMe,
  getSettings,
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
  ...TASK_ROUTES,
  ...APPROVAL_ROUTES,
  ...EXECUTION_ROUTES,
  ...AUDIT_ROUTES,
  ...GATEWAY_ROUTES,
  ...HEALTH_ROUTES,
  ...ROLE_ROUTES,
  ...ROLE_TOOL_ROUTES,
  ...TRUST_ROUTES,
];
