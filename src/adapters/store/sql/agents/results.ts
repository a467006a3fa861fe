import type { AgentReport, AgentResult } from "../../../../domain/agents/result.ts";
import type { AgentId } from "../../../../domain/ids.ts";
import { jsonColumn } from "../engine/json-column.ts";
import { prepared } from "../engine/prepared.ts";
import type { Db } from "../engine/tables.ts";

const REPORT = jsonColumn<AgentReport>();
const RESULT = jsonColumn<AgentResult>();

const selectRow = prepared(
  (db, id: AgentId) => db.selectFrom("agent_results").selectAll().where("agent_id", "=", id),
  (id) => [id],
);
const putReportText = prepared(
  (db, id: AgentId, report: string) => insertOrSet(db, id, { report }),
  (id, report) => [id, report, report],
);
const putResultText = prepared(
  (db, id: AgentId, result: string) => insertOrSet(db, id, { result }),
  (id, result) => [id, result, result],
);

export async function getReport(db: Db, id: AgentId): Promise<AgentReport | undefined> {
  const [row] = (await selectRow(db, id)).rows;
  return typeof row?.report === "string" ? REPORT.read(row.report) : undefined;
}

export async function getResult(db: Db, id: AgentId): Promise<AgentResult | undefined> {
  const [row] = (await selectRow(db, id)).rows;
  return typeof row?.result === "string" ? RESULT.read(row.result) : undefined;
}

export async function putReport(db: Db, id: AgentId, report: AgentReport): Promise<void> {
  await putReportText(db, id, REPORT.write(report));
}

export async function putResult(db: Db, id: AgentId, result: AgentResult): Promise<void> {
  await putResultText(db, id, RESULT.write(result));
}

function insertOrSet(
  db: Db,
  id: AgentId,
  column: { readonly report: string } | { readonly result: string },
) {
  return db
    .insertInto("agent_results")
    .values({ agent_id: id, ...column })
    .onConflict((conflict) => conflict.column("agent_id").doUpdateSet(column));
}
