import { migratePostgres } from "../../../src/adapters/store/postgres/migrate.ts";
import { aPlace, type Place } from "../daemon.ts";
import { aDatabaseLike, tcpUrl } from "./database.ts";

/** The URL of a database with the tables of this version, with a password. */
export async function aMigratedUrl(): Promise<string> {
  const url = await aDatabaseLike("store", async (empty) => {
    await migratePostgres(empty);
  });
  return tcpUrl(url);
}

/** A place whose programs use this database. */
export function aPlaceOn(url: string, over: Record<string, string> = {}): Place {
  return aPlace({ KUROMAJUTSU_DATABASE_URL: url, LANG: "en_US.UTF-8", ...over });
}
