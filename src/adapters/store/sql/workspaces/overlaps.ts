import { type Selectable, sql } from "kysely";
import type { WorkspaceId } from "../../../../domain/ids.ts";
import type { Overlap } from "../../../../domain/workspaces/overlap.ts";
import { anyIds } from "../engine/any-id.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { Db } from "../engine/tables.ts";
import type { OverlapTable } from "../engine/workspace-tables.ts";

const PATHS = jsonColumn<readonly string[]>();

/** Two selects, each with its own index; a pair of two of the workspaces is in the first only. */
export async function listOverlapsOf(
  db: Db,
  workspaceIds: readonly WorkspaceId[],
): Promise<readonly Overlap[]> {
  const ids = anyIds<WorkspaceId>(db, workspaceIds);
  const { rows } = await sql<Selectable<OverlapTable>>`
    select * from workspace_overlaps where a in ${ids}
    union all
    select * from workspace_overlaps where b in ${ids} and a not in ${ids}`.execute(db);
  return rows.map(toOverlap);
}

export async function listOverlaps(db: Db): Promise<readonly Overlap[]> {
  const rows = await db
    .selectFrom("workspace_overlaps")
    .selectAll()
    .orderBy("a")
    .orderBy("b")
    .execute();
  return rows.map(toOverlap);
}

export async function putOverlaps(
  db: Db,
  id: WorkspaceId,
  overlaps: readonly Overlap[],
): Promise<void> {
  await db.deleteFrom("workspace_overlaps").where("a", "=", id).execute();
  await db.deleteFrom("workspace_overlaps").where("b", "=", id).execute();
  for (const { a, b, level, paths, at } of overlaps) {
    await sql`
      insert into workspace_overlaps (a, b, level, paths, at)
        select ${a}, ${b}, ${level}, ${PATHS.write(paths)}, ${at}
          where exists (select 1 from workspaces where id = ${a})
            and exists (select 1 from workspaces where id = ${b})`.execute(db);
  }
}

function toOverlap(row: Selectable<OverlapTable>): Overlap {
  return { a: row.a, b: row.b, level: row.level, paths: PATHS.read(row.paths), at: row.at };
}
