import { sql } from "kysely";
import type { Agent } from "../../../domain/agent.ts";
import type { AgentId } from "../../../domain/ids.ts";
import { toAgent, toAgentRow } from "./agent-row.ts";
import { anyId, anyIds } from "./any-id.ts";
import type { Db } from "./tables.ts";
import { versionConflict } from "./version-conflict.ts";

export async function getAgent(db: Db, id: string): Promise<Agent | undefined> {
  const row = await db
    .selectFrom("agents")
    .selectAll()
    .where("id", "=", anyId<AgentId>(id))
    .executeTakeFirst();
  return row && toAgent(row);
}

/** In the order they were asked for; those not found are left out. */
export async function getAgents(db: Db, ids: readonly string[]): Promise<readonly Agent[]> {
  const rows = await db
    .selectFrom("agents")
    .selectAll()
    .where("id", "in", anyIds<AgentId>(ids))
    .execute();
  const found = new Map<string, Agent>(rows.map((row) => [row.id, toAgent(row)]));
  return [...new Set(ids)].flatMap((id) => found.get(id) ?? []);
}

export async function findAgentByTokenHash(db: Db, tokenHash: string): Promise<Agent | undefined> {
  const row = await db
    .selectFrom("agents")
    .selectAll()
    .where("token_hash", "=", tokenHash)
    .where("process", "<>", sql.lit("ended"))
    .executeTakeFirst();
  return row && toAgent(row);
}

export async function insertAgent(db: Db, agent: Agent, prompt: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("agents")
    .values(toAgentRow(agent))
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  await db.insertInto("agent_prompts").values({ agent_id: agent.id, prompt }).execute();
  return true;
}

export async function updateAgent(db: Db, next: Agent, expected: Agent): Promise<Agent> {
  const agent = { ...next, version: expected.version + 1 };
  const { numUpdatedRows } = await db
    .updateTable("agents")
    .set(toAgentRow(agent))
    .where("id", "=", expected.id)
    .where("version", "=", expected.version)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw versionConflict(`Agent ${expected.id}`, expected.version);
  return agent;
}
