import { sql } from "kysely";
import type { Agent } from "../../../../domain/agents/agent.ts";
import type { TaskId } from "../../../../domain/ids.ts";
import type { Db } from "../engine/tables.ts";
import { toAgent } from "./agent-row.ts";

export async function listTaskAgents(db: Db, taskId: TaskId): Promise<readonly Agent[]> {
  const rows = await db
    .selectFrom("agents")
    .selectAll()
    .where("task_id", "=", taskId)
    .orderBy("seq")
    .execute();
  return rows.map(toAgent);
}

export async function listUnsettledTaskAgents(db: Db, taskId: TaskId): Promise<readonly Agent[]> {
  const rows = await db
    .selectFrom("agents")
    .selectAll()
    .where("task_id", "=", taskId)
    // A literal: a partial index is not used for a bound parameter.
    .where("process", "<>", sql.lit("ended"))
    .orderBy("seq")
    .execute();
  return rows.map(toAgent);
}
