import type { Insertable, Selectable } from "kysely";
import type { MergeProblem } from "../../../../domain/merges/merge-problem.ts";
import type { Merge } from "../../../../domain/merges/merge.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { MergeTable } from "../engine/workspace-tables.ts";

const CONFLICTS = jsonColumn<readonly string[]>();
const PROBLEM = jsonColumn<MergeProblem | null>();

export function toMergeRow(merge: Merge): Insertable<MergeTable> {
  return {
    id: merge.id,
    workspace_id: merge.workspaceId,
    agent_id: merge.agentId,
    group_id: merge.groupId,
    task_id: merge.taskId,
    repository: merge.repository,
    version: merge.version,
    change_commit: merge.change,
    base: merge.base,
    target: merge.target,
    mode: merge.mode,
    message: merge.message,
    status: merge.status,
    approval_id: merge.approvalId,
    requester: merge.requester,
    into_checkout: merge.intoCheckout ? 1 : 0,
    from_commit: merge.from,
    result_commit: merge.result,
    check_exit: merge.checkExit,
    check_output: merge.checkOutput,
    server_id: merge.serverId,
    problem: merge.problem && PROBLEM.write(merge.problem),
    conflicts: CONFLICTS.write(merge.conflicts),
    created_at: merge.createdAt,
    queued_at: merge.queuedAt,
    ended_at: merge.endedAt,
    revision: merge.revision,
  };
}

export function toMerge(row: Selectable<MergeTable>): Merge {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    agentId: row.agent_id,
    groupId: row.group_id,
    taskId: row.task_id,
    repository: row.repository,
    version: row.version,
    change: row.change_commit,
    base: row.base,
    target: row.target,
    mode: row.mode,
    message: row.message,
    status: row.status,
    approvalId: row.approval_id,
    requester: row.requester,
    intoCheckout: row.into_checkout === 1,
    from: row.from_commit,
    result: row.result_commit,
    checkExit: row.check_exit,
    checkOutput: row.check_output,
    serverId: row.server_id,
    problem: row.problem === null ? null : PROBLEM.read(row.problem),
    conflicts: CONFLICTS.read(row.conflicts),
    createdAt: row.created_at,
    queuedAt: row.queued_at,
    endedAt: row.ended_at,
    revision: row.revision,
  };
}
