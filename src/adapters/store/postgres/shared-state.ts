import { sql } from "kysely";
import type { McpSessionRow, SharedState } from "../../../app/ports/shared-state.ts";
import type { Log } from "../../../app/ports/world.ts";
import { jsonColumn } from "../sql/engine/json-column.ts";
import { createPool } from "./engine/connect.ts";
import { createDb } from "./engine/executor.ts";

/** A client that is silent for longer still goes on, like one of an earlier daemon. */
const KEEP_SESSIONS_DAYS = 30;
const CONNECTIONS = 2;

const CLIENT = jsonColumn<McpSessionRow["client"]>();

/** Connections of its own: requests that are only identified do not wait for long transactions. */
export function openSharedState(options: {
  readonly url: string;
  readonly log?: Log | undefined;
}): SharedState {
  const pool = createPool({ ...options, name: "kuromajutsu doors" }, CONNECTIONS);
  const db = createDb(pool);
  return {
    async getMcpSession(id) {
      const { rows } = await sql<{ owner: string; client: string; is_ended: boolean }>`
        select owner, client, is_ended from mcp_sessions where id = ${id}`.execute(db);
      const [row] = rows;
      return row && { owner: row.owner, client: CLIENT.read(row.client), isEnded: row.is_ended };
    },
    async putMcpSession(id, { owner, client }) {
      await sql`
        delete from mcp_sessions
          where begun_at < now() - make_interval(days => ${KEEP_SESSIONS_DAYS})`.execute(db);
      await sql`
        insert into mcp_sessions (id, owner, client, is_ended, begun_at)
          values (${id}, ${owner}, ${CLIENT.write(client)}, false, now())
          on conflict (id) do nothing`.execute(db);
    },
    async endMcpSession(id) {
      await sql`update mcp_sessions set is_ended = true where id = ${id}`.execute(db);
    },
    async countWrongToken(address, { count, windowMs }) {
      const window = sql`make_interval(secs => ${windowMs / 1_000})`;
      await sql`delete from wrong_tokens where since < now() - ${window}`.execute(db);
      const { rows } = await sql<{ count: number; wait_ms: number }>`
        insert into wrong_tokens as known (address, since, count) values (${address}, now(), 1)
          on conflict (address) do update set
            count = case when known.since < now() - ${window} then 1 else known.count + 1 end,
            since = case when known.since < now() - ${window} then now() else known.since end
          returning count, extract(epoch from since + ${window} - now()) * 1000 as wait_ms`.execute(
        db,
      );
      const [row] = rows;
      return row && row.count > count ? Math.max(1, row.wait_ms) : 0;
    },
    close: () => pool.end(),
  };
}
