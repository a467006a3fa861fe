import type { Agent } from "../../domain/agents/agent.ts";
import { costOfAgent } from "../../domain/agents/cost.ts";
import type { AgentProgress } from "../../domain/agents/progress.ts";
import type { Usage } from "../../domain/agents/runner.ts";
import type { Core } from "../core.ts";

/** A field is absent if its value is unknown. */
export type Spent = {
  readonly usage?: Usage;
  readonly spent?: { readonly cost: number; readonly currency: string };
};

/** The tokens an agent has used so far, and their cost if its CLI or the price list says so. */
export function spentBy(
  core: Core,
  { model }: Agent,
  seen: Pick<AgentProgress, "usage" | "reportedModel" | "costUsd">,
): Spent {
  const { cost, currency } = costOfAgent(model, seen, core.settings.prices);
  return {
    ...(seen.usage && { usage: seen.usage }),
    ...(cost !== null && { spent: { cost, currency } }),
  };
}
