import { type Kysely, sql } from "kysely";

/** Requests with an Idempotency-Key, stored in the transaction that carries them out. */
export const keyedRequests = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table keyed_requests (
        key text primary key,
        request text not null,
        status integer,
        body text,
        at integer not null
      )`.execute(db);
    await sql`create index keyed_requests_by_age on keyed_requests (at)`.execute(db);
  },
};
