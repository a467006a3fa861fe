import type { AgentId } from "../../../../domain/ids.ts";
import { Refusal } from "../../../../domain/refusal.ts";
import { prepared } from "../engine/prepared.ts";
import type { Db } from "../engine/tables.ts";

const selectPrompt = prepared(
  (db, id: AgentId) => db.selectFrom("agent_prompts").select("prompt").where("agent_id", "=", id),
  (id) => [id],
);

export async function getPrompt(db: Db, id: AgentId): Promise<string> {
  const [row] = (await selectPrompt(db, id)).rows;
  // Every agent has a prompt, so there is no such agent.
  if (!row)
    throw new Refusal("AGENT_NOT_FOUND", {
      en: [`No agent ${id}.`, "Call list_agents."],
      ja: [`エージェント ${id} はありません。`, "list_agents で確かめてください。"],
    });
  return row.prompt;
}
