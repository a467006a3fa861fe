import type { Core } from "../../../app/core.ts";
import { truncate } from "../../../base/truncate.ts";
import type { LiveState } from "../../../contract/live.ts";
import { wireApproval } from "../../../contract/shapes/approvals.ts";
import { clipApproval } from "../../../contract/shapes/clip-approval.ts";
import { wireGroup } from "../../../contract/shapes/groups.ts";
import { wireTask, type WireTask } from "../../../contract/shapes/tasks.ts";
import { rolesForDashboards } from "../../role-summaries.ts";
import { cardsOf, wireProblem } from "../wire.ts";

/** Limits the size of a snapshot; REST has the rest in pages. */
const MAX_GROUPS = 500;
const MAX_AGENTS = 2_000;
const MAX_TASKS = 200;
const MAX_APPROVALS = 200;
/** Texts of a task are truncated to this, as in events. */
const MAX_TEXT_CHARS = 2_000;

export type StateSource = {
  readonly availableModels: () => Promise<readonly string[]>;
  /** The current results of the health check. */
  readonly health: () => Promise<unknown>;
};

/** The state that a dashboard shows before the first event. */
export async function readState(core: Core, source: StateSource): Promise<LiveState> {
  const { groups } = await core.store.listGroups({ view: "all-in-view", limit: MAX_GROUPS });
  const agents = await core.store.listAgentsInView(MAX_AGENTS);
  const { tasks } = await core.store.listTasks({ limit: MAX_TASKS });
  const approvals = await core.store.listOpenApprovals(MAX_APPROVALS);
  const problems = core.health.problems().map(wireProblem);
  return {
    server: { version: core.version, availableModels: [...(await source.availableModels())] },
    groups: groups.map(wireGroup),
    agents: await cardsOf(core, agents),
    roles: await rolesForDashboards(core),
    tasks: tasks.map((task) => shortTask(wireTask(task))),
    approvals: approvals.map((approval) => clipApproval(wireApproval(approval))),
    pendingApprovals: await core.store.countPendingApprovals(),
    health: await source.health(),
    ...(problems.length > 0 && { problems }),
  };
}

function shortTask(task: WireTask): WireTask {
  return {
    ...task,
    request: truncate(task.request, MAX_TEXT_CHARS),
    description: task.description && truncate(task.description, MAX_TEXT_CHARS),
  };
}
