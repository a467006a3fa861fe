import type { Migration } from "kysely/migration";
import { groupsAndAgents } from "./0001-groups-and-agents.ts";
import { fleet } from "./0002-fleet.ts";
import { tasks } from "./0003-tasks.ts";
import { historyByRunner } from "./0004-history-by-runner.ts";
import { keyedRequests } from "./0005-keyed-requests.ts";
import { clearReasons } from "./0010-clear-reasons.ts";
import { agentCalls } from "./0020-agent-calls.ts";
import { listsInView } from "./0022-lists-in-view.ts";
import { healthAndActivity } from "./0023-health-and-activity.ts";

/** In the order of their names. A plain object: the product is one bundle, there is no folder to read. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-groups-and-agents": groupsAndAgents,
  "0002-fleet": fleet,
  "0003-tasks": tasks,
  "0004-history-by-runner": historyByRunner,
  "0005-keyed-requests": keyedRequests,
  "0010-clear-reasons": clearReasons,
  "0022-lists-in-view": listsInView,
  "0020-agent-calls": agentCalls,
  "0023-health-and-activity": healthAndActivity,
};
