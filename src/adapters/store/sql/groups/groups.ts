import { sql } from "kysely";
import type { Group } from "../../../../domain/groups/group.ts";
import type { GroupId } from "../../../../domain/ids.ts";
import { anyId } from "../engine/any-id.ts";
import { isPostgres } from "../engine/dialect.ts";
import { prepared } from "../engine/prepared.ts";
import type { Db } from "../engine/tables.ts";
import { updateChanged } from "../engine/update-changed.ts";
import { versionConflict } from "../engine/version-conflict.ts";
import { toGroup, toGroupRow } from "./group-row.ts";

const selectRow = prepared(
  (db, id: string) => db.selectFrom("groups").selectAll().where("id", "=", anyId<GroupId>(id)),
  (id) => [id],
);

export async function getGroup(db: Db, id: string): Promise<Group | undefined> {
  const [row] = (await selectRow(db, id)).rows;
  return row && toGroup(row);
}

/** In PostgreSQL the column counts by itself: concurrent transactions would get the same number. */
const NEXT_SEQ = sql<number>`(select coalesce(max(seq), 0) + 1 from groups)`;

export async function insertGroup(db: Db, group: Group): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("groups")
    .values({ ...toGroupRow(group), ...(!isPostgres(db) && { seq: NEXT_SEQ }) })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

const updateRow = updateChanged("groups");

export async function updateGroup(db: Db, next: Group, expected: Group): Promise<Group> {
  const group = { ...next, version: expected.version + 1 };
  if (!(await updateRow(db, toGroupRow(group), expected.id, expected.version))) {
    throw versionConflict("Group", expected);
  }
  return group;
}

/** Oldest first, including deleted groups. */
export async function listChildGroups(db: Db, parentGroupId: GroupId): Promise<readonly Group[]> {
  const rows = await db
    .selectFrom("groups")
    .selectAll()
    .where("parent_group_id", "=", parentGroupId)
    .orderBy("seq")
    .execute();
  return rows.map(toGroup);
}

/** A plan is unfinished until its last stage is over, whatever the status of its agents. */
export async function listUnfinishedPlans(db: Db): Promise<readonly Group[]> {
  const rows = await db
    .selectFrom("groups")
    .selectAll()
    .where("status", "=", sql.lit("active"))
    .where(hasStagesLeft(db))
    .orderBy("id")
    .execute();
  return rows.map(toGroup);
}

/** Written as in the partial index. */
function hasStagesLeft(db: Db) {
  return isPostgres(db)
    ? sql<boolean>`(stages::json ->> 'current')::bigint < (stages::json ->> 'total')::bigint`
    : sql<boolean>`json_extract(stages, '$.current') < json_extract(stages, '$.total')`;
}
