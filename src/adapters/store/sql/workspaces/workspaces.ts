import { type Selectable, sql } from "kysely";
import type { WorkspaceId } from "../../../../domain/ids.ts";
import type { PortRange, Workspace } from "../../../../domain/workspaces/workspace.ts";
import { anyId, anyIds } from "../engine/any-id.ts";
import { tableBy } from "../engine/dialect.ts";
import type { Db } from "../engine/tables.ts";
import { updateChanged } from "../engine/update-changed.ts";
import { versionConflict } from "../engine/version-conflict.ts";
import type { WorkspaceTable } from "../engine/workspace-tables.ts";
import { toWorkspace, toWorkspaceRow } from "./workspace-row.ts";

export async function getWorkspace(db: Db, id: string): Promise<Workspace | undefined> {
  const row = await db
    .selectFrom("workspaces")
    .selectAll()
    .where("id", "=", anyId<WorkspaceId>(id))
    .executeTakeFirst();
  return row && toWorkspace(row);
}

/** In the requested order, without ids that are not found. */
export async function getWorkspaces(db: Db, ids: readonly string[]): Promise<readonly Workspace[]> {
  const rows = await db
    .selectFrom("workspaces")
    .selectAll()
    .where("id", "in", anyIds<WorkspaceId>(db, ids))
    .execute();
  const found = new Map<string, Workspace>(rows.map((row) => [row.id, toWorkspace(row)]));
  return [...new Set(ids)].flatMap((id) => found.get(id) ?? []);
}

// States are written as literals: a partial index is not used for a bound parameter.

export async function listPresentWorkspaces(db: Db): Promise<readonly Workspace[]> {
  const { rows } = await sql<Selectable<WorkspaceTable>>`
    select * from ${tableBy(db, "workspaces", "workspaces_present")}
      where status not in ('planned', 'retired') order by seq`.execute(db);
  return rows.map(toWorkspace);
}

export async function listOpenWorkspaces(
  db: Db,
  repository: string,
): Promise<readonly Workspace[]> {
  const { rows } = await sql<Selectable<WorkspaceTable>>`
    select * from ${tableBy(db, "workspaces", "workspaces_open")}
      where repository = ${repository} and outcome = 'open'
        and (status not in ('planned', 'retired') or head is not null)
      order by seq`.execute(db);
  return rows.map(toWorkspace);
}

export async function listLeasedPorts(db: Db): Promise<readonly PortRange[]> {
  const { rows } = await sql<PortRange>`
    select port_from as "from", port_count as count
      from ${tableBy(db, "workspaces", "workspaces_with_ports")}
      where port_from is not null and status <> 'retired' order by port_from`.execute(db);
  return rows.map(({ from, count }) => ({ from, count }));
}

/** A workspace has a change from its first version on. */
export async function countOpenChanges(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${tableBy(db, "workspaces", "workspaces_open")}
      where outcome = 'open' and version > 0`.execute(db);
  return rows[0]?.n ?? 0;
}

export async function insertWorkspace(db: Db, workspace: Workspace): Promise<void> {
  await db.insertInto("workspaces").values(toWorkspaceRow(workspace)).execute();
}

const updateRow = updateChanged("workspaces", "revision");

export async function updateWorkspace(
  db: Db,
  next: Workspace,
  { id, revision }: Workspace,
): Promise<Workspace> {
  const workspace = { ...next, revision: revision + 1 };
  if (!(await updateRow(db, toWorkspaceRow(workspace), id, revision))) {
    throw versionConflict("Workspace", { id, version: revision });
  }
  return workspace;
}

/** Foreign keys delete its versions, comments, overlaps and merges with it. */
export async function deleteWorkspace(db: Db, id: WorkspaceId): Promise<void> {
  await db.deleteFrom("workspaces").where("id", "=", id).execute();
}
