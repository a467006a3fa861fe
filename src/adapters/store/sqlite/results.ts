import type { AgentId } from "../../../domain/ids.ts";
import type { AgentReport, AgentResult } from "../../../domain/result.ts";
import { jsonColumn } from "./json-column.ts";
import type { Db } from "./tables.ts";

const REPORT = jsonColumn<AgentReport>();
const RESULT = jsonColumn<AgentResult>();

export async function getReport(db: Db, id: AgentId): Promise<AgentReport | undefined> {
  const row = await selectRow(db, id);
  return typeof row?.report === "string" ? REPORT.read(row.report) : undefined;
}

export async function getResult(db: Db, id: AgentId): Promise<AgentResult | undefined> {
  const row = await selectRow(db, id);
  return typeof row?.result === "string" ? RESULT.read(row.result) : undefined;
}

export function putReport(db: Db, id: AgentId, report: AgentReport): Promise<void> {
  return putColumn(db, id, { report: REPORT.write(report) });
}

export function putResult(db: Db, id: AgentId, result: AgentResult): Promise<void> {
  return putColumn(db, id, { result: RESULT.write(result) });
}

function selectRow(db: Db, id: AgentId) {
  return db.selectFrom("agent_results").selectAll().where("agent_id", "=", id).executeTakeFirst();
}

async function putColumn(
  db: Db,
  id: AgentId,
  column: { readonly report: string } | { readonly result: string },
): Promise<void> {
  await db
    .insertInto("agent_results")
    .values({ agent_id: id, ...column })
    .onConflict((conflict) => conflict.column("agent_id").doUpdateSet(column))
    .execute();
}
