import { type Kysely, sql } from "kysely";

/**
 * Says that this database was not restored from a dump: `xid` is the transaction that wrote the row,
 * as PostgreSQL notes it in `xmin`, and a dump has only the copy. Servers write it, not this
 * migration, which may run on a restored dump. Without a key, because programs that rewrite tables
 * (pg_repack) leave out tables without one: a rewritten row would look like a restored one.
 */
export const databaseStamps = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table database_stamps (xid xid8 not null default pg_current_xact_id())`.execute(db);
  },
};
