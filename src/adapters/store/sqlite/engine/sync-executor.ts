import type { DatabaseSync } from "node:sqlite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type QueryResult,
  Transaction,
} from "kysely";
import { createDialect } from "./dialect.ts";
import type { Db, Tables } from "./tables.ts";

/**
 * Kysely that runs each query synchronously. Its own executor lends the connection to one query at a
 * time and waits several turns per query; node:sqlite is synchronous and the store keeps the order.
 * Does not begin transactions.
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
