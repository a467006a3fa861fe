import { Client, type ClientConfig, Pool, types } from "pg";
import type { Log } from "../../../../app/ports/world.ts";

/** OIDs of the types that pg returns as texts, because they may exceed a JavaScript number. */
const INT8 = 20;
const NUMERIC = 1700;

const STATEMENT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;

export type Connect = {
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  readonly log?: Log | undefined;
};

/** An error of an idle connection (server restarted, cable pulled) must not end the process. */
export function createPool({ url, name, log }: Connect, max: number): Pool {
  const pool = new Pool({ ...settingsOf(url, name), max });
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
export function createClient({ url, name }: Connect): Client {
  return new Client({ ...settingsOf(url, name), keepAlive: true });
}

function settingsOf(url: string, name: string): ClientConfig {
  return {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
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
