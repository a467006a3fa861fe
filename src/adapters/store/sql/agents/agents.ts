import { sql } from "kysely";
import type { Agent } from "../../../../domain/agents/agent.ts";
import type { AgentId } from "../../../../domain/ids.ts";
import { anyId, anyIds } from "../engine/any-id.ts";
import { prepared } from "../engine/prepared.ts";
import type { Db } from "../engine/tables.ts";
import { updateChanged } from "../engine/update-changed.ts";
import { versionConflict } from "../engine/version-conflict.ts";
import { toAgent, toAgentRow } from "./agent-row.ts";

const selectAgent = prepared(
  (db, id: string) => db.selectFrom("agents").selectAll().where("id", "=", anyId<AgentId>(id)),
  (id) => [id],
);

export async function getAgent(db: Db, id: string): Promise<Agent | undefined> {
  const [row] = (await selectAgent(db, id)).rows;
  return row && toAgent(row);
}

/** In the requested order, without ids that are not found. */
export async function getAgents(db: Db, ids: readonly string[]): Promise<readonly Agent[]> {
  const rows = await db
    .selectFrom("agents")
    .selectAll()
    .where("id", "in", anyIds<AgentId>(db, ids))
    .execute();
  const found = new Map<string, Agent>(rows.map((row) => [row.id, toAgent(row)]));
  return [...new Set(ids)].flatMap((id) => found.get(id) ?? []);
}

const selectByTokenHash = prepared(
  (db, tokenHash: string) =>
    db
      .selectFrom("agents")
      .selectAll()
      .where("token_hash", "=", tokenHash)
      .where("process", "<>", sql.lit("ended"))
      .where("process", "<>", sql.lit("capturing")),
  (tokenHash) => [tokenHash],
);

export async function findAgentByTokenHash(db: Db, tokenHash: string): Promise<Agent | undefined> {
  const [row] = (await selectByTokenHash(db, tokenHash)).rows;
  return row && toAgent(row);
}

export async function insertAgent(db: Db, agent: Agent, prompt: string): Promise<boolean> {
  const { numAffectedRows } = await insertRow(db, toAgentRow(agent));
  if (numAffectedRows !== 1n) return false;
  await insertPrompt(db, agent.id, prompt);
  return true;
}

const insertRow = prepared(
  (db, row: ReturnType<typeof toAgentRow>) =>
    db
      .insertInto("agents")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doNothing()),
  (row) => Object.values(row),
);
const insertPrompt = prepared(
  (db, agentId: AgentId, prompt: string) =>
    db.insertInto("agent_prompts").values({ agent_id: agentId, prompt }),
  (agentId, prompt) => [agentId, prompt],
);

const updateRow = updateChanged("agents");

export async function updateAgent(db: Db, next: Agent, expected: Agent): Promise<Agent> {
  const agent = { ...next, version: expected.version + 1 };
  const { id, version } = expected;
  if (!(await updateRow(db, toAgentRow(agent), id, version, toAgentRow(expected)))) {
    throw versionConflict("Agent", expected);
  }
  return agent;
}
