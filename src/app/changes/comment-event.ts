import type { ChangeComment } from "../../domain/changes/change.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";

export async function emitCommented(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  workspace: Workspace,
  comment: ChangeComment,
  by: string,
): Promise<void> {
  await unit.emit({
    type: "change:commented",
    groupId: workspace.groupId,
    agentId: workspace.agentId,
    taskId: workspace.taskId,
    data: { workspaceId: workspace.id, commentId: comment.id, by },
    at: core.clock.now(),
  });
}
