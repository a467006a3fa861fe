import type { PendingEnd } from "../../../../app/ports/workspace-store.ts";
import type { AgentId } from "../../../../domain/ids.ts";
import { insertionOrder } from "../engine/dialect.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { Db } from "../engine/tables.ts";

const END = jsonColumn<PendingEnd>();

/** In the order of the ends. */
export async function listCapturing(
  db: Db,
): Promise<readonly { readonly agentId: AgentId; readonly end: PendingEnd }[]> {
  const rows = await db
    .selectFrom("pending_ends")
    .select(["agent_id", "end"])
    .orderBy(insertionOrder(db))
    .execute();
  return rows.map((row) => ({ agentId: row.agent_id, end: END.read(row.end) }));
}

export async function putPendingEnd(db: Db, agentId: AgentId, value: PendingEnd): Promise<void> {
  const end = END.write(value);
  await db
    .insertInto("pending_ends")
    .values({ agent_id: agentId, end })
    .onConflict((conflict) => conflict.column("agent_id").doUpdateSet({ end }))
    .execute();
}

export async function deletePendingEnd(db: Db, agentId: AgentId): Promise<void> {
  await db.deleteFrom("pending_ends").where("agent_id", "=", agentId).execute();
}
