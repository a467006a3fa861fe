import { sql } from "kysely";
import type { AgentId, GroupId } from "../../../domain/ids.ts";
import type { Db } from "./tables.ts";

/** A statement holds up everybody; what is left over goes with the next call. */
const MAX_EVENTS = 100_000;

/** The longest ended first. What belongs to an agent goes with it (foreign keys). */
export async function purgeHistory(
  db: Db,
  endedBefore: number,
  limit: number,
): Promise<readonly AgentId[]> {
  const purged = await sql<{ id: AgentId }>`
    delete from agents where seq in (
      select seq from agents
        where process = 'ended' and in_view = 0 and ended_at < ${endedBefore}
        order by ended_at, agents.seq limit ${limit})
      returning id`.execute(db);
  await purgeGroups(db, endedBefore);
  await purgeEvents(db, endedBefore);
  return purged.rows.map(({ id }) => id);
}

/** Children go before their parents, so this goes on until there is no more. */
async function purgeGroups(db: Db, deletedBefore: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ id: GroupId }>`
      delete from groups
        where status = 'deleted' and deleted_at < ${deletedBefore}
          and not exists (select 1 from agents where group_id = groups.id)
          and not exists (select 1 from groups as child where child.parent_group_id = groups.id)
        returning id`.execute(db);
    if (rows.length === 0) return;
    const ids = JSON.stringify(rows.map(({ id }) => id));
    await sql`
      delete from agent_counts where scope in (select value from json_each(${ids}))`.execute(db);
  }
}

/**
 * From the oldest to the first that is not old, so that keeping it short needs no index of times.
 * The newest stays whatever its age: its number is where everybody who follows stands.
 */
async function purgeEvents(db: Db, before: number): Promise<void> {
  await sql`
    delete from events
      where seq < ifnull(
        (select seq from events
          where at >= ${before} or seq >= (select min(seq) + ${MAX_EVENTS} from events)
          order by seq limit 1),
        (select max(seq) from events))`.execute(db);
}
