import type { SavedTemplate } from "../../../../app/ports/template-store.ts";
import type { Db } from "../engine/tables.ts";

export async function listSavedTemplates(db: Db): Promise<readonly SavedTemplate[]> {
  const rows = await db.selectFrom("saved_templates").selectAll().orderBy("id").execute();
  return rows.map(({ saved_by, saved_at, ...row }) => ({
    ...row,
    savedBy: saved_by,
    savedAt: saved_at,
  }));
}

export async function putSavedTemplate(
  db: Db,
  { id, text, savedBy, savedAt }: SavedTemplate,
  overwrite: boolean,
): Promise<boolean> {
  const saved = { text, saved_by: savedBy, saved_at: savedAt };
  const inserted = await db
    .insertInto("saved_templates")
    .values({ id, ...saved })
    .onConflict((conflict) =>
      overwrite ? conflict.column("id").doUpdateSet(saved) : conflict.column("id").doNothing(),
    )
    .returning("id")
    .execute();
  return inserted.length > 0;
}

export async function deleteSavedTemplate(db: Db, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom("saved_templates")
    .where("id", "=", id)
    .returning("id")
    .execute();
  return deleted.length > 0;
}
