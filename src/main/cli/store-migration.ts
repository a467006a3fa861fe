import { placeOfUrl } from "../../adapters/store/database-url.ts";
import type { StoreMigration } from "../../app/ports/store-migration.ts";
import { findStore } from "./with-store.ts";

export async function createStoreMigration(): Promise<StoreMigration> {
  const { settings } = await findStore();
  const { url } = settings;
  return {
    database: url === undefined ? null : placeOfUrl(url),
    async migrate() {
      if (url === undefined) return [];
      const { migratePostgres } = await import("../../adapters/store/postgres/migrate.ts");
      return migratePostgres(url);
    },
  };
}
