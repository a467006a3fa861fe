import type { EventOf } from "../../contract/events/events.ts";
import type { Merge } from "../../domain/merges/merge.ts";
import type { Core } from "../core.ts";

export function mergeEvent(core: Pick<Core, "clock">, merge: Merge): EventOf<"merge:updated"> {
  const { id, workspaceId, taskId, version, target, mode, status, approvalId, result, problem } =
    merge;
  return {
    type: "merge:updated",
    groupId: merge.groupId,
    agentId: merge.agentId,
    taskId,
    data: {
      mergeId: id,
      workspaceId,
      taskId,
      version,
      target,
      mode,
      status,
      approvalId,
      result,
      problem,
    },
    at: core.clock.now(),
  };
}
