import { type RawBuilder, type Selectable, sql } from "kysely";
import type { MergePage, MergeQuery } from "../../../../app/ports/workspace-store.ts";
import { MERGE_STATUSES, type MergeStatus } from "../../../../domain/merges/merge.ts";
import { fromCursor, pageOf, type Position } from "../engine/cursor.ts";
import { tableBy } from "../engine/dialect.ts";
import type { Db } from "../engine/tables.ts";
import type { MergeTable } from "../engine/workspace-tables.ts";
import { toMerge } from "./merge-row.ts";

export async function listMerges(db: Db, query: MergeQuery): Promise<MergePage> {
  const after = query.cursor === undefined ? null : fromCursor(query.cursor);
  const statuses = query.statuses && MERGE_STATUSES.filter((it) => query.statuses?.includes(it));
  if (statuses?.length === 0) return { merges: [], nextCursor: null };
  const selects = (statuses ?? [undefined]).map((status) => select(db, query, status, after));
  const { rows } = await sql<Selectable<MergeTable>>`
    ${sql.join(selects, sql` union all `)}
      order by seq desc limit ${query.limit + 1}`.execute(db);
  const { page, nextCursor } = pageOf(rows, query.limit, (row) => row.created_at);
  return { merges: page.map(toMerge), nextCursor };
}

/** One per status, merged: each walks its own index in order and stops early. */
function select(
  db: Db,
  query: MergeQuery,
  status: MergeStatus | undefined,
  after: Position | null,
): RawBuilder<unknown> {
  const { workspaceId, groupId, taskId } = query;
  const conditions = [
    sql`seq ${after === null ? sql`is not null` : sql`< ${after.seq}`}`,
    ...(workspaceId === undefined ? [] : [sql`workspace_id = ${workspaceId}`]),
    ...(taskId === undefined ? [] : [sql`task_id = ${taskId}`]),
    ...(groupId === undefined ? [] : [sql`group_id = ${groupId}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
  ];
  return sql`
    select * from ${tableBy(db, "merges", indexFor(query, status))}
      where ${sql.join(conditions, sql` and `)}`;
}

/** Names the index, because SQLite has no statistics. A workspace, task or group has few merges. */
function indexFor(
  { workspaceId, groupId, taskId }: MergeQuery,
  status: MergeStatus | undefined,
): string | null {
  if (workspaceId !== undefined) return "merges_by_workspace";
  if (taskId !== undefined) return "merges_by_task";
  if (groupId !== undefined) return "merges_by_group";
  return status !== undefined ? "merges_by_status" : null;
}
