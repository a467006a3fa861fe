import type { Insertable, Selectable } from "kysely";
import type { Attention } from "../../../../domain/workspaces/attention.ts";
import type {
  FetchProblem,
  Workspace,
  WorkspaceBase,
} from "../../../../domain/workspaces/workspace.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { WorkspaceTable } from "../engine/workspace-tables.ts";

const BASED_ON = jsonColumn<WorkspaceBase>();
const FETCH_PROBLEM = jsonColumn<FetchProblem>();
const ATTENTION = jsonColumn<readonly Attention[]>();

export function toWorkspaceRow(workspace: Workspace): Insertable<WorkspaceTable> {
  return {
    id: workspace.id,
    agent_id: workspace.agentId,
    group_id: workspace.groupId,
    task_id: workspace.taskId,
    requester: workspace.requester,
    status: workspace.status,
    outcome: workspace.outcome,
    repository: workspace.repository,
    source: workspace.source,
    prefix: workspace.prefix,
    path: workspace.path,
    worker_id: workspace.workerId,
    server_id: workspace.serverId,
    fetch_problem: workspace.fetchProblem && FETCH_PROBLEM.write(workspace.fetchProblem),
    branch: workspace.branch,
    based_on: BASED_ON.write(workspace.basedOn),
    base: workspace.base,
    start: workspace.start,
    target: workspace.target,
    version: workspace.version,
    head: workspace.head,
    files: workspace.files,
    added: workspace.added,
    removed: workspace.removed,
    attention: ATTENTION.write(workspace.attention),
    port_from: workspace.ports?.from ?? null,
    port_count: workspace.ports?.count ?? null,
    disk_bytes: workspace.diskBytes,
    fingerprint: workspace.fingerprint,
    created_at: workspace.createdAt,
    captured_at: workspace.capturedAt,
    closed_at: workspace.closedAt,
    retired_at: workspace.retiredAt,
    revision: workspace.revision,
  };
}

export function toWorkspace(row: Selectable<WorkspaceTable>): Workspace {
  const { port_from: from, port_count: count } = row;
  return {
    id: row.id,
    agentId: row.agent_id,
    groupId: row.group_id,
    taskId: row.task_id,
    requester: row.requester,
    status: row.status,
    outcome: row.outcome,
    repository: row.repository,
    source: row.source,
    prefix: row.prefix,
    path: row.path,
    workerId: row.worker_id,
    serverId: row.server_id,
    fetchProblem: row.fetch_problem === null ? null : FETCH_PROBLEM.read(row.fetch_problem),
    branch: row.branch,
    basedOn: BASED_ON.read(row.based_on),
    base: row.base,
    start: row.start,
    target: row.target,
    version: row.version,
    head: row.head,
    files: row.files,
    added: row.added,
    removed: row.removed,
    attention: ATTENTION.read(row.attention),
    ports: from === null || count === null ? null : { from, count },
    diskBytes: row.disk_bytes,
    fingerprint: row.fingerprint,
    createdAt: row.created_at,
    capturedAt: row.captured_at,
    closedAt: row.closed_at,
    retiredAt: row.retired_at,
    revision: row.revision,
  };
}
