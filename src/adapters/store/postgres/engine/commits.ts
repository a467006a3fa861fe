import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { errorCode } from "../../../../base/error-code.ts";
import type { Db } from "../../sql/engine/tables.ts";
import { isQueryTimeout } from "./connect.ts";
import { createClientDb } from "./executor.ts";
import { throwFault } from "./faults.ts";

const DEADLOCK = "40P01";
const SERIALIZATION_FAILURE = "40001";
const MAX_ATTEMPTS = 20;
const MAX_BACKOFF_MS = 50;

/**
 * Runs `body` in a transaction. After a deadlock it is rolled back and runs again: units of work
 * change nothing outside the database.
 */
export async function commitWithRetry<T>(pool: pg.Pool, body: (db: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await commit(pool, body);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !mayRepeat(error)) throw error;
      await delay(Math.random() * Math.min(MAX_BACKOFF_MS, 2 ** attempt));
    }
  }
}

async function commit<T>(pool: pg.Pool, body: (db: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch(throwFault);
  let isStuck = false;
  const run = (statement: string, values: unknown[] = []) =>
    client.query(statement, values).catch((error: unknown) => {
      isStuck ||= isQueryTimeout(error);
      throw error;
    });
  try {
    await run("begin").catch(throwFault);
    const result = await body(createClientDb(run));
    const { command } = await run("commit").catch(throwFault);
    // A transaction in which a statement failed answers ROLLBACK, without an error.
    if (command !== "COMMIT") throw new Error("PostgreSQL rolled the transaction back.");
    client.release();
    return result;
  } catch (error) {
    if (isStuck) client.release(true);
    else await rollback(client);
    throw error;
  }
}

/** A connection that cannot roll back is closed, not reused. */
async function rollback(client: pg.PoolClient): Promise<void> {
  try {
    await client.query("rollback");
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
}

function mayRepeat(error: unknown): boolean {
  const code = errorCode(error);
  return code === DEADLOCK || code === SERIALIZATION_FAILURE;
}
