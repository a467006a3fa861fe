import * as agents from "./agents.ts";
import * as alerts from "./alerts.ts";
import * as approvals from "./approvals.ts";
import * as changes from "./changes.ts";
import * as daemon from "./daemon.ts";
import * as executions from "./executions.ts";
import * as gateway from "./gateway.ts";
import * as groups from "./groups.ts";
import * as health from "./health.ts";
import * as jobs from "./jobs.ts";
import * as merges from "./merges.ts";
import * as notifications from "./notifications.ts";
import * as people from "./people.ts";
import * as roles from "./roles.ts";
import * as schedules from "./schedules.ts";
import * as servers from "./servers.ts";
import * as slack from "./slack.ts";
import * as tasks from "./tasks.ts";
import * as templates from "./templates.ts";
import * as workers from "./workers.ts";
import * as workspaces from "./workspaces.ts";

/** Every REST route. A test checks that the daemon serves exactly these. */
export const ROUTE_CONTRACTS = {
  ...agents,
  ...alerts,
  ...approvals,
  ...changes,
  ...daemon,
  ...executions,
  ...gateway,
  ...groups,
  ...health,
  ...jobs,
  ...merges,
  ...notifications,
  ...people,
  ...roles,
  ...schedules,
  ...servers,
  ...slack,
  ...tasks,
  ...templates,
  ...workers,
  ...workspaces,
};
