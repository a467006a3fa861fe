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
 * Kysely that runs each query at once, in the very call. It would lend the connection to one at a
 * time and wait several times per query for its turn; node:sqlite does not wait and the store keeps
 * the order. It begins no transaction: whoever uses it does.
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
