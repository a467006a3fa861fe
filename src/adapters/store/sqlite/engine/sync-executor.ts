import type { DatabaseSync } from "node:sqlite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type QueryResult,
  Transaction,
} from "kysely";
import type { Db, Tables } from "../../sql/engine/tables.ts";
import { createDialect } from "./dialect.ts";

/**
 * Runs each Kysely query synchronously. Kysely's own executor locks the connection and waits several
 * turns of the event loop per query, which node:sqlite does not need. Does not begin transactions.
 */
export async function createSyncExecutor(database: DatabaseSync): Promise<Db> {
  const dialect = createDialect(database, "begin");
  const driver = dialect.createDriver();
  await driver.init();
  const executor = new SyncExecutor(dialect, await driver.acquireConnection());
  return new Transaction<Tables>({ config: { dialect }, dialect, driver, executor });
}

class SyncExecutor extends DefaultQueryExecutor {
  readonly #connection: DatabaseConnection;

  constructor(dialect: Dialect, connection: DatabaseConnection) {
    super(dialect.createQueryCompiler(), dialect.createAdapter(), {
      provideConnection: (use) => use(connection),
    });
    this.#connection = connection;
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#connection.executeQuery(query);
  }
}
