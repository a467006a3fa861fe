import { isDeepStrictEqual } from "node:util";
import type { CompiledQuery, QueryResult } from "kysely";
import { isPostgres } from "./dialect.ts";
import type { Db } from "./tables.ts";

/**
 * For queries that run several times per agent: the query is built and compiled only
 * once per kind of database. After
 * that `bind` returns its values, in the order of the SQL text.
 */
export function prepared<Args extends readonly unknown[], Row>(
  build: (db: Db, ...args: Args) => { compile(): CompiledQuery<Row> },
  bind: (...args: Args) => readonly unknown[],
): (db: Db, ...args: Args) => Promise<QueryResult<Row>> {
  const known = new Map<"postgres" | "sqlite", CompiledQuery<Row>>();
  return (db, ...args) => {
    const parameters = bind(...args);
    const dialect = isPostgres(db) ? "postgres" : "sqlite";
    const query = known.get(dialect) ?? checked(build(db, ...args).compile(), parameters);
    known.set(dialect, query);
    return db.executeQuery({ ...query, parameters });
  };
}

function checked<Row>(query: CompiledQuery<Row>, bound: readonly unknown[]): CompiledQuery<Row> {
  if (isDeepStrictEqual([...query.parameters], [...bound])) return query;
  throw new Error(`The values bound are not those of the query: ${query.sql}`);
}
