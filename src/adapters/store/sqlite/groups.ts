import type { Selectable } from "kysely";
import type { Group } from "../../../domain/group.ts";
import type { GroupId } from "../../../domain/ids.ts";
import { anyId } from "./any-id.ts";
import type { Db, GroupTable } from "./tables.ts";
import { versionConflict } from "./version-conflict.ts";

export async function getGroup(db: Db, id: string): Promise<Group | undefined> {
  const row = await db
    .selectFrom("groups")
    .selectAll()
    .where("id", "=", anyId<GroupId>(id))
    .executeTakeFirst();
  return row && toGroup(row);
}

export async function insertGroup(db: Db, group: Group): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("groups")
    .values(toRow(group))
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function updateGroup(db: Db, next: Group, expected: Group): Promise<Group> {
  const group = { ...next, version: expected.version + 1 };
  const { numUpdatedRows } = await db
    .updateTable("groups")
    .set(toRow(group))
    .where("id", "=", expected.id)
    .where("version", "=", expected.version)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw versionConflict(`Group ${expected.id}`, expected.version);
  return group;
}

function toRow(group: Group): GroupTable {
  return {
    id: group.id,
    description: group.description,
    mode: group.mode,
    status: group.status,
    parent_group_id: group.parentGroupId,
    orchestrator_agent_id: group.orchestratorAgentId,
    created_at: group.createdAt,
    deleted_at: group.deletedAt,
    version: group.version,
  };
}

function toGroup(row: Selectable<GroupTable>): Group {
  return {
    id: row.id,
    description: row.description,
    mode: row.mode,
    status: row.status,
    parentGroupId: row.parent_group_id,
    orchestratorAgentId: row.orchestrator_agent_id,
    createdAt: row.created_at,
    deletedAt: row.deleted_at,
    version: row.version,
  };
}
