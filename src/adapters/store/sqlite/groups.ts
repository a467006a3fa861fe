import { sql } from "kysely";
import type { Group } from "../../../domain/group.ts";
import type { GroupId } from "../../../domain/ids.ts";
import { anyId } from "./any-id.ts";
import { toGroup, toGroupRow } from "./group-row.ts";
import type { Db } from "./tables.ts";
import { versionConflict } from "./version-conflict.ts";

export async function getGroup(db: Db, id: string): Promise<Group | undefined> {
  const row = await db
    .selectFrom("groups")
    .selectAll()
    .where("id", "=", anyId<GroupId>(id))
    .executeTakeFirst();
  return row && toGroup(row);
}

const NEXT_SEQ = sql<number>`(select ifnull(max(seq), 0) + 1 from groups)`;

export async function insertGroup(db: Db, group: Group): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("groups")
    .values({ ...toGroupRow(group), seq: NEXT_SEQ })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function updateGroup(db: Db, next: Group, expected: Group): Promise<Group> {
  const group = { ...next, version: expected.version + 1 };
  const { numUpdatedRows } = await db
    .updateTable("groups")
    .set(toGroupRow(group))
    .where("id", "=", expected.id)
    .where("version", "=", expected.version)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw versionConflict(`Group ${expected.id}`, expected.version);
  return group;
}

/** Of any status, oldest first. */
export async function listChildGroups(db: Db, parentGroupId: GroupId): Promise<readonly Group[]> {
  const rows = await db
    .selectFrom("groups")
    .selectAll()
    .where("parent_group_id", "=", parentGroupId)
    .orderBy("seq")
    .execute();
  return rows.map(toGroup);
}

/** A plan is unfinished until its last stage is passed, whatever its agents have come to. */
export async function listUnfinishedPlans(db: Db): Promise<readonly Group[]> {
  const rows = await db
    .selectFrom("groups")
    .selectAll()
    .where("status", "=", sql.lit("active"))
    .where(sql<boolean>`json_extract(stages, '$.current') < json_extract(stages, '$.total')`)
    .orderBy("id")
    .execute();
  return rows.map(toGroup);
}
