import { Refusal } from "../../domain/refusal.ts";

export function agentNotFound(...ids: readonly string[]): Refusal {
  return new Refusal(
    "AGENT_NOT_FOUND",
    `There is no agent ${ids.join(", ")}.`,
    "Use the agentId that run_agents returned; list_agents shows all.",
  );
}
