import { Client, escapeIdentifier } from "pg";
import { socketUrl, type Address } from "./urls.ts";

const PREFIX = "template_";
/** A template has this name until it is whole: a worker may be killed while it builds. */
const UNFINISHED_PREFIX = "unfinished_";

/** Runs SQL in the database `postgres`, where databases are created and dropped. */
export async function asAdmin<T>(
  address: Address,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: socketUrl(address, "postgres") });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Builds the template if this run has not built it yet, and returns the name of its database. Safe
 * to call concurrently, also from several workers: an advisory lock decides which call builds.
 */
export async function buildOnce(
  address: Address,
  template: string,
  build: (url: string) => Promise<void>,
): Promise<string> {
  if (!/^[a-z0-9_]{1,50}$/.test(template)) {
    throw new Error(`The name of a template has 1 to 50 of a-z, 0-9 and _, unlike "${template}".`);
  }
  const name = `${PREFIX}${template}`;
  await asAdmin(address, async (client) => {
    if (await isThere(client, name)) return;
    // The server releases the lock when the connection ends, also when this worker is killed.
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [name]);
    if (await isThere(client, name)) return;
    const unfinished = `${UNFINISHED_PREFIX}${template}`;
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished} template template0`);
    await build(socketUrl(address, unfinished));
    // A connection to the template would make every clone of it fail.
    await client.query(`alter database ${unfinished} with allow_connections false`);
    await client.query(`alter database ${unfinished} rename to ${name}`);
  });
  return name;
}

export async function dropTemplates(address: Address): Promise<void> {
  await asAdmin(address, async (client) => {
    const templates = await client.query<{ datname: string }>(
      "select datname from pg_database where starts_with(datname, $1)",
      [PREFIX],
    );
    for (const { datname } of templates.rows) {
      await client.query(`drop database ${escapeIdentifier(datname)} with (force)`);
    }
  });
}

async function isThere(client: Client, name: string): Promise<boolean> {
  const found = await client.query("select from pg_database where datname = $1", [name]);
  return found.rowCount === 1;
}
