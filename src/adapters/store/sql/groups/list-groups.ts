import { sql } from "kysely";
import type { GroupPage, GroupQuery } from "../../../../app/ports/store.ts";
import { fromCursor, pageOf, type Position } from "../engine/cursor.ts";
import type { Db } from "../engine/tables.ts";
import { toGroup } from "./group-row.ts";

/** Newest first. */
export async function listGroups(db: Db, query: GroupQuery): Promise<GroupPage> {
  const after = query.cursor === undefined ? null : fromCursor(query.cursor);
  const groups = query.view === "active" ? selectActive(db) : selectInView(db);
  const rows = await (after === null ? groups : olderThan(groups, after))
    .orderBy("created_at", "desc")
    .orderBy("seq", "desc")
    .limit(query.limit + 1)
    .execute();
  const { page, nextCursor } = pageOf(rows, query.limit, (row) => row.created_at);
  return { groups: page.map(toGroup), nextCursor };
}

// Literals: a partial index is not used for a bound parameter.
function selectActive(db: Db) {
  return db.selectFrom("groups").selectAll().where("status", "=", sql.lit("active"));
}

/** The group's own flag is not enough: a group that was just deleted may have no agents. */
function selectInView(db: Db) {
  return db
    .selectFrom("groups")
    .selectAll()
    .where("in_view", "=", sql.lit(1))
    .where((groups) =>
      groups.or([
        groups("status", "=", sql.lit("active")),
        groups.exists(
          groups
            .selectFrom("agents")
            .select("agents.seq")
            .whereRef("agents.group_id", "=", "groups.id")
            .where("agents.in_view", "=", sql.lit(1)),
        ),
      ]),
    );
}

function olderThan(groups: ReturnType<typeof selectActive>, { at, seq }: Position) {
  return groups.where((group) =>
    group(group.refTuple("created_at", "seq"), "<", group.tuple(at, seq)),
  );
}
