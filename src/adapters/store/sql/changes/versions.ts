import type { Insertable, Selectable } from "kysely";
import type { ChangeVersion } from "../../../../domain/changes/change.ts";
import type { WorkspaceId } from "../../../../domain/ids.ts";
import type { Attention } from "../../../../domain/workspaces/attention.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { Db } from "../engine/tables.ts";
import type { ChangeVersionTable } from "../engine/workspace-tables.ts";

const PATHS = jsonColumn<readonly string[]>();
const ATTENTION = jsonColumn<readonly Attention[]>();

export async function listVersions(db: Db, id: WorkspaceId): Promise<readonly ChangeVersion[]> {
  const rows = await db
    .selectFrom("change_versions")
    .selectAll()
    .where("workspace_id", "=", id)
    .orderBy("version")
    .execute();
  return rows.map(toVersion);
}

export async function getVersion(
  db: Db,
  id: WorkspaceId,
  version: number,
): Promise<ChangeVersion | undefined> {
  const row = await db
    .selectFrom("change_versions")
    .selectAll()
    .where("workspace_id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  return row && toVersion(row);
}

export async function insertVersion(db: Db, version: ChangeVersion): Promise<void> {
  await db.insertInto("change_versions").values(toRow(version)).execute();
}

function toRow(version: ChangeVersion): Insertable<ChangeVersionTable> {
  return {
    workspace_id: version.workspaceId,
    version: version.version,
    agent_id: version.agentId,
    base: version.base,
    commit_id: version.commit,
    tree_id: version.tree,
    files: version.files,
    added: version.added,
    removed: version.removed,
    paths: PATHS.write(version.paths),
    attention: ATTENTION.write(version.attention),
    at: version.at,
  };
}

function toVersion(row: Selectable<ChangeVersionTable>): ChangeVersion {
  return {
    workspaceId: row.workspace_id,
    version: row.version,
    agentId: row.agent_id,
    base: row.base,
    commit: row.commit_id,
    tree: row.tree_id,
    files: row.files,
    added: row.added,
    removed: row.removed,
    paths: PATHS.read(row.paths),
    attention: ATTENTION.read(row.attention),
    at: row.at,
  };
}
