import { Client, type ClientConfig, Pool, types } from "pg";
import type { Log } from "../../../../app/ports/world.ts";

/** OIDs of the types that pg returns as texts, because they may exceed a JavaScript number. */
const INT8 = 20;
const NUMERIC = 1700;

const STATEMENT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 5_000;
/**
 * Less than others wait for a lock: a server that is paused inside a transaction must not make them
 * fail. Units await nothing else inside a transaction.
 */
const IDLE_IN_TRANSACTION_MS = 4_000;
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * For a line that drops packets: then neither an answer nor an error arrives, and TCP gives up after
 * many minutes. Above the limit of the server, which ends a statement with a better error.
 */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000;
/** Finds out that the other side of an idle connection is gone. */
const KEEP_ALIVE_AFTER_MS = 10_000;
/** For statements that may take any time, as those of a migration do. */
export const NO_LIMIT = 0;

export type Connect = {
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  readonly log?: Log | undefined;
  /** The longest time that an answer is waited for. */
  readonly queryTimeoutMs?: number | undefined;
};

/** The connection must be closed: it still waits for the answer, which may arrive later. */
export function isQueryTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/** An error of an idle connection (server restarted, cable pulled) must not end the process. */
export function createPool(connect: Connect, max: number): Pool {
  const { log } = connect;
  const pool = new Pool({ ...settingsOf(connect), max });
  pool.on("error", (error) => {
    log?.warn("A connection to PostgreSQL was lost.", { error: error.message });
  });
  // Without a listener, an error between two queries of a client that is in use ends the process.
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
  });
  return pool;
}

/** One connection outside the pool: for LISTEN. */
export function createClient(connect: Connect): Client {
  return new Client(settingsOf(connect));
}

function settingsOf(connect: Connect): ClientConfig {
  const { url, name, queryTimeoutMs = QUERY_TIMEOUT_MS } = connect;
  return {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: Math.min(CONNECT_TIMEOUT_MS, queryTimeoutMs || CONNECT_TIMEOUT_MS),
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    types: { getTypeParser: (id, format) => parserOf(id) ?? types.getTypeParser(id, format) },
  };
}

/** Our numbers are below 2^53; as texts they would differ from the rows of SQLite. */
function parserOf(id: number): ((text: string) => number) | undefined {
  return id === INT8 || id === NUMERIC ? Number : undefined;
}
