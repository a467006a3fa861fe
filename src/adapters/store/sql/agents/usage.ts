import { sql } from "kysely";
import type { UsageRow } from "../../../../app/ports/store.ts";
import type { Usage } from "../../../../domain/agents/runner.ts";
import type { GroupId } from "../../../../domain/ids.ts";
import { jsonNumber } from "../engine/dialect.ts";
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
          on conflict (day, runner, model, role, reported_model, has_cost) do update set
            ${sql.join(SUMS.map(addExcluded))}`.compile(db),
  }),
  (row) => valuesOf(row),
);

const SUMS = [
  "cost_usd",
  "agents",
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
] as const;

function addExcluded(column: (typeof SUMS)[number]) {
  const name = sql.ref(column);
  return sql`${name} = usage_daily.${name} + excluded.${name}`;
}

/** In the order of the columns. */
function valuesOf(row: UsageRow): readonly (string | number)[] {
  return [
    row.day,
    row.runner,
    row.model,
    row.role,
    row.reportedModel ?? "",
    row.costUsd === null ? 0 : 1,
    row.costUsd ?? 0,
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
  const rows = await db
    .selectFrom("usage_daily")
    .select(["day", "runner", "model", "role", "agents"])
    .select(["reported_model as reportedModel", "has_cost", "cost_usd as costUsd"])
    .select(["input_tokens as inputTokens", "output_tokens as outputTokens"])
    .select(["cache_read_tokens as cacheReadTokens", "cache_write_tokens as cacheWriteTokens"])
    .where("day", ">=", fromDay)
    .where("day", "<=", untilDay)
    .orderBy("day")
    .orderBy("runner")
    .orderBy("model")
    .orderBy("role")
    .orderBy("reported_model")
    .orderBy("has_cost")
    .execute();
  return rows.map(toUsageRow);
}

function toUsageRow<Row extends Omit<UsageRow, "day">>(row: Row & { readonly has_cost: number }) {
  const { has_cost, ...rest } = row;
  const costUsd = has_cost === 1 ? row.costUsd : null;
  return { ...rest, reportedModel: row.reportedModel || null, costUsd };
}

/** Summed from the agents' progress, so that it is also correct for old groups. */
export async function listGroupUsage(
  db: Db,
  groupId: GroupId,
): Promise<readonly Omit<UsageRow, "day">[]> {
  const { rows } = await sql<Omit<UsageRow, "day"> & { readonly has_cost: number }>`
    select runner, model, role, reported_model as "reportedModel", count(*) as agents,
        case when ${reportedCost(db)} > 0 then 1 else 0 end as has_cost,
        sum(${reportedCost(db)}) as "costUsd",
        ${sumOf(db, "inputTokens")} as "inputTokens",
        ${sumOf(db, "outputTokens")} as "outputTokens",
        ${sumOf(db, "cacheReadTokens")} as "cacheReadTokens",
        ${sumOf(db, "cacheWriteTokens")} as "cacheWriteTokens"
      from agents left join agent_progress on agent_progress.agent_id = agents.id
      where group_id = ${groupId} and process = 'ended'
      group by runner, model, role, reported_model, has_cost
      order by runner, model, role, reported_model nulls first, has_cost`.execute(db);
  return rows.map(toUsageRow);
}

/** Like `reportedCost` of the domain: a reported cost of 0 is none. */
function reportedCost(db: Db) {
  return sql`coalesce(${jsonNumber(db, "agent_progress.activity", "costUsd")}, 0)`;
}

function sumOf(db: Db, name: keyof Usage) {
  return sql`sum(coalesce(${jsonNumber(db, "agent_progress.usage", name)}, 0))`;
}
