import { type Selectable, sql } from "kysely";
import type { MergeId } from "../../../../domain/ids.ts";
import type { Merge } from "../../../../domain/merges/merge.ts";
import { anyId } from "../engine/any-id.ts";
import { tableBy } from "../engine/dialect.ts";
import type { Db } from "../engine/tables.ts";
import { updateChanged } from "../engine/update-changed.ts";
import { versionConflict } from "../engine/version-conflict.ts";
import type { MergeTable } from "../engine/workspace-tables.ts";
import { toMerge, toMergeRow } from "./merge-row.ts";

export async function getMerge(db: Db, id: string): Promise<Merge | undefined> {
  const row = await db
    .selectFrom("merges")
    .selectAll()
    .where("id", "=", anyId<MergeId>(id))
    .executeTakeFirst();
  return row && toMerge(row);
}

/** States are written as literals: a partial index is not used for a bound parameter. */
export async function listQueuedMerges(db: Db): Promise<readonly Merge[]> {
  const { rows } = await sql<Selectable<MergeTable>>`
    select * from ${tableBy(db, "merges", "merges_queued")}
      where status in ('queued', 'checking') order by queued_at, seq`.execute(db);
  return rows.map(toMerge);
}

export async function insertMerge(db: Db, merge: Merge): Promise<void> {
  await db.insertInto("merges").values(toMergeRow(merge)).execute();
}

const updateRow = updateChanged("merges", "revision");

export async function updateMerge(db: Db, next: Merge, { id, revision }: Merge): Promise<Merge> {
  const merge = { ...next, revision: revision + 1 };
  if (!(await updateRow(db, toMergeRow(merge), id, revision))) {
    throw versionConflict("Merge", { id, version: revision });
  }
  return merge;
}
