import { sql } from "kysely";
import type { OwnedUpstream, UpstreamOwners } from "../../../app/ports/upstream-owners.ts";
import type { Log } from "../../../app/ports/world.ts";
import { createPool } from "./engine/connect.ts";
import { createDb } from "./engine/executor.ts";

export type OpenUpstreamOwners = {
  readonly url: string;
  /** This server. */
  readonly id: string;
  readonly log?: Log | undefined;
};

/** One row per upstream server with one copy. The lease of its owner is that of the server. */
export function openUpstreamOwners({ url, id, log }: OpenUpstreamOwners): UpstreamOwners {
  const pool = createPool({ url, name: "kuromajutsu upstream", log }, 1);
  const db = createDb(pool);
  return {
    async claim(names) {
      for (const name of names) {
        await sql`
          insert into upstream_owners as known (name, owner)
            select ${name}, id from servers where id = ${id} and seen <= now()
            on conflict (name) do update set owner = excluded.owner, listing = null
              where not exists (
                select 1 from servers where servers.id = known.owner and seen <= now())`.execute(
          db,
        );
      }
      const { rows } = await sql<OwnedUpstream>`
        select name, owner, listing from upstream_owners`.execute(db);
      return rows;
    },
    async describe(name, listing) {
      await sql`
        update upstream_owners set listing = ${listing}
          where name = ${name} and owner = ${id}`.execute(db);
    },
    async release(kept = []) {
      await sql`
        delete from upstream_owners
          where owner = ${id} and name <> all(${[...kept]}::text[])`.execute(db);
    },
    close: () => pool.end(),
  };
}
