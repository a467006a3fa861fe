import type { Agent } from "../../domain/agents/agent.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Queries } from "../ports/store.ts";

export async function requireAgent(queries: Pick<Queries, "getAgent">, id: string): Promise<Agent> {
  const agent = await queries.getAgent(id);
  if (!agent) throw agentNotFound(id);
  return agent;
}

export function agentNotFound(...ids: readonly string[]): Refusal {
  return new Refusal("AGENT_NOT_FOUND", {
    en: [
      `There is no agent ${ids.join(", ")}.`,
      "Use the agentId that run_agents returned; list_agents shows all.",
    ],
    ja: [
      `エージェント ${ids.join(", ")} はありません。`,
      "run_agents が返した agentId を使ってください。一覧は list_agents で見られます。",
    ],
  });
}
