import { type RawBuilder, type Selectable, sql } from "kysely";
import type { ApprovalPage, ApprovalQuery } from "../../../../app/ports/task-store.ts";
import {
  type Approval,
  APPROVAL_STATUSES,
  type ApprovalStatus,
} from "../../../../domain/approvals/approval.ts";
import { fromCursor, pageOf, type Position } from "../engine/cursor.ts";
import { tableBy } from "../engine/dialect.ts";
import type { Db } from "../engine/tables.ts";
import type { ApprovalTable } from "../engine/task-tables.ts";
import { toApproval } from "./approval-row.ts";

/** Pending approvals come oldest first, so that none is overlooked; others newest first. */
export async function listApprovals(db: Db, query: ApprovalQuery): Promise<ApprovalPage> {
  const after = query.cursor === undefined ? null : fromCursor(query.cursor);
  const statuses = query.statuses && APPROVAL_STATUSES.filter((it) => query.statuses?.includes(it));
  if (statuses?.length === 0) return { approvals: [], nextCursor: null };
  const isQueue = statuses?.length === 1 && statuses[0] === "pending";
  const direction = isQueue ? sql`asc` : sql`desc`;
  const { rows } = await sql<Selectable<ApprovalTable>>`
    ${sql.join(selectsOf(db, query, statuses, after, isQueue), sql` union all `)}
      order by created_at ${direction}, seq ${direction}
      limit ${query.limit + 1}`.execute(db);
  const { page, nextCursor } = pageOf(rows, query.limit, (row) => row.created_at);
  return { approvals: page.map(toApproval), nextCursor };
}

/** One per status, merged: each walks its own index in order and stops early. */
function selectsOf(
  db: Db,
  query: ApprovalQuery,
  statuses: readonly ApprovalStatus[] | undefined,
  after: Position | null,
  isQueue: boolean,
): readonly RawBuilder<unknown>[] {
  const each = statuses ?? [undefined];
  return each.map(
    (status) => sql`
      select * from ${tableBy(db, "approvals", indexFor(query, status))}
        where ${sql.join(conditionsOf(query, status, after, isQueue), sql` and `)}`,
  );
}

/** Names the index, because SQLite has no statistics. A task or an agent has few approvals. */
function indexFor(
  { kind, taskId, executionId, agentId }: ApprovalQuery,
  status: ApprovalStatus | undefined,
): string {
  if (agentId !== undefined) return "approvals_by_agent";
  if (executionId !== undefined) return "approvals_by_execution";
  if (taskId !== undefined) return "approvals_by_task";
  if (kind !== undefined && status !== undefined) return "approvals_by_kind_and_status";
  if (kind !== undefined) return "approvals_by_kind";
  return status !== undefined ? "approvals_by_status" : "approvals_newest";
}

function conditionsOf(
  { kind, taskId, executionId, agentId }: ApprovalQuery,
  status: ApprovalStatus | undefined,
  after: Position | null,
  isQueue: boolean,
): readonly RawBuilder<unknown>[] {
  const beyond = isQueue ? sql`>` : sql`<`;
  return [
    sql`created_at is not null`,
    ...(agentId === undefined ? [] : [sql`agent_id = ${agentId}`]),
    ...(executionId === undefined ? [] : [sql`execution_id = ${executionId}`]),
    ...(taskId === undefined ? [] : [sql`task_id = ${taskId}`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(after === null ? [] : [sql`(created_at, seq) ${beyond} (${after.at}, ${after.seq})`]),
  ];
}

/** Reads all pending approvals: a limit per agent keeps them few. */
export async function listOpenApprovals(db: Db, limit: number): Promise<readonly Approval[]> {
  const { rows } = await sql<Selectable<ApprovalTable>>`
    select * from (
      select *, row_number() over (
          partition by task_id is null, coalesce(agent_id, task_id, id)
          order by created_at, seq) as turn
        from ${tableBy(db, "approvals", "approvals_by_status")}
        where status = 'pending') as pending
      order by task_id is null, turn, created_at, seq
      limit ${limit}`.execute(db);
  return rows.map(toApproval);
}
