import { placeOfUrl } from "../../adapters/store/database-url.ts";
import type { StoreMigration } from "../../app/ports/store-migration.ts";
import { loadConfigHere } from "./load-config-here.ts";

export async function createStoreMigration(): Promise<StoreMigration> {
  const loaded = await loadConfigHere();
  const { url } = loaded.config.store;
  return {
    database: url === undefined ? null : placeOfUrl(url),
    async migrate(onLocked) {
      if (url === undefined) return [];
      const { migratePostgres } = await import("../../adapters/store/postgres/migrate.ts");
      return migratePostgres(url, undefined, onLocked);
    },
    async move(options) {
      if (url === undefined) throw new Error("There is no database to move to.");
      const { moveData } = await import("../move/move-data.ts");
      return moveData({ loaded, url }, options);
    },
  };
}
