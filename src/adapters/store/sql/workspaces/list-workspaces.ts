import { type RawBuilder, type Selectable, sql } from "kysely";
import type { WorkspacePage, WorkspaceQuery } from "../../../../app/ports/workspace-store.ts";
import {
  CHANGE_OUTCOMES,
  type ChangeOutcome,
  WORKSPACE_STATUSES,
  type WorkspaceStatus,
} from "../../../../domain/workspaces/workspace.ts";
import { fromCursor, pageOf, type Position } from "../engine/cursor.ts";
import { tableBy } from "../engine/dialect.ts";
import type { Db } from "../engine/tables.ts";
import type { WorkspaceTable } from "../engine/workspace-tables.ts";
import { toWorkspace } from "./workspace-row.ts";

type State = { readonly outcome: ChangeOutcome; readonly status: WorkspaceStatus };

export async function listWorkspaces(db: Db, query: WorkspaceQuery): Promise<WorkspacePage> {
  const after = query.cursor === undefined ? null : fromCursor(query.cursor);
  const states = statesOf(query);
  if (states?.length === 0) return { workspaces: [], nextCursor: null };
  const selects = (states ?? [undefined]).map((state) => select(db, query, state, after));
  const { rows } = await sql<Selectable<WorkspaceTable>>`
    ${sql.join(selects, sql` union all `)}
      order by seq desc limit ${query.limit + 1}`.execute(db);
  const { page, nextCursor } = pageOf(rows, query.limit, (row) => row.created_at);
  return { workspaces: page.map(toWorkspace), nextCursor };
}

/** Undefined: every state. */
function statesOf({ statuses, outcomes }: WorkspaceQuery): readonly State[] | undefined {
  if (!statuses && !outcomes) return undefined;
  return CHANGE_OUTCOMES.filter((it) => outcomes?.includes(it) ?? true).flatMap((outcome) =>
    WORKSPACE_STATUSES.filter((it) => statuses?.includes(it) ?? true).map((status) => ({
      outcome,
      status,
    })),
  );
}

/** One per state, merged: each walks its own index in order and stops early. */
function select(
  db: Db,
  query: WorkspaceQuery,
  state: State | undefined,
  after: Position | null,
): RawBuilder<unknown> {
  const { groupId, taskId, repository } = query;
  const conditions = [
    sql`seq ${after === null ? sql`is not null` : sql`< ${after.seq}`}`,
    ...(taskId === undefined ? [] : [sql`task_id = ${taskId}`]),
    ...(groupId === undefined ? [] : [sql`group_id = ${groupId}`]),
    ...(repository === undefined ? [] : [sql`repository = ${repository}`]),
    ...(state ? [sql`outcome = ${state.outcome}`, sql`status = ${state.status}`] : []),
  ];
  return sql`
    select * from ${tableBy(db, "workspaces", indexFor(query, state))}
      where ${sql.join(conditions, sql` and `)}`;
}

/** Names the index, because SQLite has no statistics. A task or a group has few workspaces. */
function indexFor(
  { groupId, taskId, repository }: WorkspaceQuery,
  state: State | undefined,
): string | null {
  if (taskId !== undefined) return "workspaces_by_task";
  if (groupId !== undefined) return "workspaces_by_group";
  if (repository !== undefined) {
    return state ? "workspaces_by_repository_and_state" : "workspaces_by_repository";
  }
  return state ? "workspaces_by_state" : null;
}
