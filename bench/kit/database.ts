import { Client } from "pg";
import { migratePostgres } from "../../src/adapters/store/postgres/migrate.ts";
import { findPrograms } from "../../test/kit/postgres/programs.ts";
import { startServer } from "../../test/kit/postgres/server.ts";
import { passwordUrl, socketUrl } from "../../test/kit/postgres/urls.ts";
import type { Context } from "./bench.ts";

export type Database = {
  readonly url: string;
  /** How many transactions it has committed. */
  commits(): Promise<number>;
};

/** A PostgreSQL of its own with our tables, as the tests start it: without fsync. */
export async function aDatabase({ ends }: Pick<Context, "ends">): Promise<Database> {
  const programs = findPrograms();
  if ("missing" in programs) throw new Error(programs.missing);
  const server = await startServer(programs);
  ends.defer(() => server.remove());
  const url = passwordUrl(server.port, "postgres");
  await migratePostgres(socketUrl(server, "postgres"));
  const admin = await connect(ends, url);
  return {
    url,
    async commits() {
      const { rows } = await admin.query(
        "select xact_commit::int as n from pg_stat_database where datname = current_database()",
      );
      return Number(rows[0]?.n);
    },
  };
}

async function connect(ends: AsyncDisposableStack, url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  ends.defer(() => client.end());
  return client;
}
