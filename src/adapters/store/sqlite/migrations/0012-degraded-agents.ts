import { type Kysely, sql } from "kysely";

/**
 * When an agent first connected to our MCP server, and why it is shown as degraded. An earlier
 * version did not record connections: the agents that it has started count as connected.
 */
export const degradedAgents = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table agents add column hello_at integer`.execute(db);
    await sql`alter table agents add column degraded text`.execute(db);
    await sql`
      update agents set hello_at = ifnull(started_at, created_at)
        where process in ('starting', 'alive')`.execute(db);
  },
};
