import { sql } from "kysely";
import type { UsageRow } from "../../../../app/ports/store.ts";
import type { GroupId } from "../../../../domain/ids.ts";
import { prepared } from "../engine/prepared.ts";
import type { Db } from "../engine/tables.ts";

export async function addUsage(db: Db, row: UsageRow): Promise<void> {
  await addRow(db, row);
}

const addRow = prepared(
  (db, row: UsageRow) => ({
    compile: () =>
      sql`
        insert into usage_daily values (${sql.join(valuesOf(row))})
          on conflict do update set
            agents = agents + excluded.agents,
            input_tokens = input_tokens + excluded.input_tokens,
            output_tokens = output_tokens + excluded.output_tokens,
            cache_read_tokens = cache_read_tokens + excluded.cache_read_tokens,
            cache_write_tokens = cache_write_tokens + excluded.cache_write_tokens`.compile(db),
  }),
  (row) => valuesOf(row),
);

/** In the order of the columns. */
function valuesOf(row: UsageRow): readonly (string | number)[] {
  return [
    row.day,
    row.runner,
    row.model,
    row.role,
    row.agents,
    row.inputTokens,
    row.outputTokens,
    row.cacheReadTokens,
    row.cacheWriteTokens,
  ];
}

/** Both days included. */
export async function listUsage(
  db: Db,
  fromDay: string,
  untilDay: string,
): Promise<readonly UsageRow[]> {
  return db
    .selectFrom("usage_daily")
    .select(["day", "runner", "model", "role", "agents"])
    .select(["input_tokens as inputTokens", "output_tokens as outputTokens"])
    .select(["cache_read_tokens as cacheReadTokens", "cache_write_tokens as cacheWriteTokens"])
    .where("day", ">=", fromDay)
    .where("day", "<=", untilDay)
    .orderBy("day")
    .orderBy("runner")
    .orderBy("model")
    .orderBy("role")
    .execute();
}

/** Summed from the agents' progress, so that it is also correct for old groups. */
export async function listGroupUsage(
  db: Db,
  groupId: GroupId,
): Promise<readonly Omit<UsageRow, "day">[]> {
  const { rows } = await sql<Omit<UsageRow, "day">>`
    select runner, model, role, count(*) as agents,
        ${sumOf("inputTokens")} as inputTokens,
        ${sumOf("outputTokens")} as outputTokens,
        ${sumOf("cacheReadTokens")} as cacheReadTokens,
        ${sumOf("cacheWriteTokens")} as cacheWriteTokens
      from agents left join agent_progress on agent_progress.agent_id = agents.id
      where group_id = ${groupId} and process = 'ended'
      group by runner, model, role
      order by runner, model, role`.execute(db);
  return rows;
}

function sumOf(name: keyof UsageRow) {
  return sql`sum(ifnull(agent_progress.usage ->> ${sql.lit(name)}, 0))`;
}
