import { dirname, join } from "node:path";
import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import type { Db } from "../../adapters/store/sql/engine/tables.ts";
import { putSavedTemplate } from "../../adapters/store/sql/templates/saved-templates.ts";
import { savedFilesIn } from "../../adapters/templates/saved-files.ts";
import { LOCAL_PERSON } from "../../domain/people/person.ts";

/**
 * Templates that were saved with SQLite are files beside its configuration, or in its data directory
 * if there is no project file. The files stay. Returns how many are in the database now.
 */
export async function moveTemplates(
  db: Db,
  { file, trust }: Pick<LoadedConfig, "file" | "trust">,
  from: string,
): Promise<number> {
  const beside = dirname(file);
  const isTrusted =
    trust === null || (trust.inUse !== null && trust.powers.every((power) => power.isTrusted));
  // A template in the database counts as trusted, so one of a clone is not copied.
  const folders = new Set([from, ...(isTrusted ? [beside] : [])]);
  let moved = 0;
  for (const folder of folders) {
    for (const saved of await savedFilesIn(join(folder, "templates"))) {
      const row = { ...saved, savedBy: LOCAL_PERSON.id, savedAt: Date.now() };
      if (await putSavedTemplate(db, row, false)) moved += 1;
    }
  }
  return moved;
}
