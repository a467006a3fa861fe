import type { Migration } from "kysely/migration";
import { groupsAndAgents } from "./0001-groups-and-agents.ts";
import { fleet } from "./0002-fleet.ts";
import { tasks } from "./0003-tasks.ts";
import { historyByRunner } from "./0004-history-by-runner.ts";
import { keyedRequests } from "./0005-keyed-requests.ts";
import { clearReasons } from "./0006-clear-reasons.ts";
import { agentCalls } from "./0007-agent-calls.ts";
import { listsInView } from "./0008-lists-in-view.ts";
import { healthAndActivity } from "./0009-health-and-activity.ts";
import { continuedAgents } from "./0010-continued-agents.ts";
import { reportedCosts } from "./0011-reported-costs.ts";
import { degradedAgents } from "./0012-degraded-agents.ts";
import { runnerProblems } from "./0013-runner-problems.ts";
import { slack } from "./0014-slack.ts";
import { alerts } from "./0015-alerts.ts";
import { schedules } from "./0016-schedules.ts";
import { scheduleTemplates } from "./0017-schedule-templates.ts";
import { workspaces } from "./0018-workspaces.ts";
import { workers } from "./0019-workers.ts";
import { workerWorktrees } from "./0020-worker-worktrees.ts";
import { callsAcrossServers } from "./0021-calls-across-servers.ts";
import { savedTemplates } from "./0022-saved-templates.ts";
import { ownersOfChanges } from "./0023-owners-of-changes.ts";

/** In the order of their names. Imported one by one, because the product is a single bundle. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-groups-and-agents": groupsAndAgents,
  "0002-fleet": fleet,
  "0003-tasks": tasks,
  "0004-history-by-runner": historyByRunner,
  "0005-keyed-requests": keyedRequests,
  "0006-clear-reasons": clearReasons,
  "0007-agent-calls": agentCalls,
  "0008-lists-in-view": listsInView,
  "0009-health-and-activity": healthAndActivity,
  "0010-continued-agents": continuedAgents,
  "0011-reported-costs": reportedCosts,
  "0012-degraded-agents": degradedAgents,
  "0013-runner-problems": runnerProblems,
  "0014-slack": slack,
  "0015-alerts": alerts,
  "0016-schedules": schedules,
  "0017-schedule-templates": scheduleTemplates,
  "0018-workspaces": workspaces,
  "0019-workers": workers,
  "0020-worker-worktrees": workerWorktrees,
  "0021-calls-across-servers": callsAcrossServers,
  "0022-saved-templates": savedTemplates,
  "0023-owners-of-changes": ownersOfChanges,
};
