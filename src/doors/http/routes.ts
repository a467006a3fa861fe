import type { AnyRoute } from "./define-route.ts";
import { cancelAgent } from "./routes/cancel-agent.ts";
import { createGroup } from "./routes/create-group.ts";
import { deleteGroup } from "./routes/delete-group.ts";
import { getAgent } from "./routes/get-agent.ts";
import { getGroup } from "./routes/get-group.ts";
import { getTranscript } from "./routes/get-transcript.ts";
import { HEALTH_ROUTES } from "./routes/health.ts";
import { listAgents } from "./routes/list-agents.ts";
import { listFiles } from "./routes/list-files.ts";
import { listGroups } from "./routes/list-groups.ts";
import { listHistory } from "./routes/list-history.ts";
import { listNotifications } from "./routes/list-notifications.ts";
import { listUsage } from "./routes/list-usage.ts";
import { ROLE_TOOL_ROUTES } from "./routes/role-tools.ts";
import { ROLE_ROUTES } from "./routes/roles.ts";
import { sendMessage } from "./routes/send-message.ts";
import { stopGroup } from "./routes/stop-group.ts";

/** The one list of what REST offers. */
export const ROUTES: readonly AnyRoute[] = [
  listGroups,
  createGroup,
  getGroup,
  deleteGroup,
  stopGroup,
  listAgents,
  getAgent,
  getTranscript,
  listFiles,
  sendMessage,
  cancelAgent,
  listHistory,
  listUsage,
  listNotifications,
  ...HEALTH_ROUTES,
  ...ROLE_ROUTES,
  ...ROLE_TOOL_ROUTES,
];
