import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  DummyDriver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  Transaction,
} from "kysely";
import type pg from "pg";
import type { Db, Tables } from "../../sql/engine/tables.ts";
import { throwFault } from "./faults.ts";

type Queryable = Pick<pg.ClientBase, "query">;

const DIALECT: Dialect = {
  createDriver: () => new DummyDriver(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
};

/** Runs each Kysely query on any connection of the pool. */
export function createDb(pool: Queryable): Db {
  return createDbOn((sql, values) => pool.query(sql, values));
}

/** Runs Kysely queries on one connection, one at a time: a client runs no two at once. */
export function createClientDb(run: RunQuery): Db {
  let last: Promise<unknown> = Promise.resolve();
  return createDbOn((sql, values) => {
    const mine = last.then(() => run(sql, values));
    last = mine.catch(() => undefined);
    return mine;
  });
}

type RunQuery = (sql: string, values: unknown[]) => Promise<pg.QueryResult>;

function createDbOn(run: RunQuery): Db {
  const connection = new PgConnection(run);
  const executor = new DefaultQueryExecutor(
    DIALECT.createQueryCompiler(),
    DIALECT.createAdapter(),
    { provideConnection: (use) => use(connection) },
  );
  const driver = DIALECT.createDriver();
  return new Transaction<Tables>({
    config: { dialect: DIALECT },
    dialect: DIALECT,
    driver,
    executor,
  });
}

const CHANGES = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

class PgConnection implements DatabaseConnection {
  readonly #run: RunQuery;

  constructor(run: RunQuery) {
    this.#run = run;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const values = parameters.map(storable);
    const { rows, command, rowCount } = await this.#run(sql, values).catch(throwFault);
    return CHANGES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("Streams are not used.");
  }
}

/**
 * PostgreSQL refuses a NUL, which output of agents may contain, and has no lone surrogates. Both are
 * stored as U+FFFD.
 */
export function storable(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.toWellFormed();
  return text.includes("\0") ? text.replaceAll("\0", "\ufffd") : text;
}
