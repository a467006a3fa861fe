import { type Kysely, sql } from "kysely";

/**
 * Why a notification was cleared. Earlier versions cleared notifications in a transaction after the
 * one that settled the agent, so a crash in between could leave them open for ever: clear those too.
 */
export const clearReasons = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table notifications add column clear_reason text`.execute(db);
    await sql`
      update notifications set status = 'cleared', version = version + 1
      where (status in ('pending', 'announced')
          or (status = 'read' and type in ('blocked', 'cancelled')))
        and agent_id in (select id from agents where process = 'ended')`.execute(db);
    await sql`
      update notifications set clear_reason = (
        select case agents.status when 'resultReported' then 'reported' else 'ended' end
        from agents where agents.id = notifications.agent_id)
      where status = 'cleared'`.execute(db);
  },
};
