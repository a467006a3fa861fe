import type { EventOf } from "../../contract/events/events.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";

export function workspaceEvent(
  core: Pick<Core, "clock">,
  workspace: Workspace,
): EventOf<"workspace:updated"> {
  return {
    type: "workspace:updated",
    groupId: workspace.groupId,
    agentId: workspace.agentId,
    taskId: workspace.taskId,
    data: {
      workspaceId: workspace.id,
      taskId: workspace.taskId,
      status: workspace.status,
      outcome: workspace.outcome,
      branch: workspace.branch,
      version: workspace.version,
      files: workspace.files,
      added: workspace.added,
      removed: workspace.removed,
    },
    at: core.clock.now(),
  };
}
