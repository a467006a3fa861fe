import { storeContract } from "../../../../test/contract/store-contract.ts";
import { aDatabaseLike } from "../../../../test/kit/postgres/database.ts";
import { migratePostgres } from "./migrate.ts";
import { openPostgresStore } from "./postgres-store.ts";

const aMigratedDatabase = () =>
  aDatabaseLike("store", async (url) => {
    await migratePostgres(url);
  });

storeContract(
  "PostgreSQL",
  async () => openPostgresStore({ url: await aMigratedDatabase() }),
  "many",
);
