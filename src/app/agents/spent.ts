import type { Agent } from "../../domain/agents/agent.ts";
import { costOfAgent } from "../../domain/agents/cost.ts";
import type { Usage } from "../../domain/agents/runner.ts";
import type { Core } from "../core.ts";

/** A field is absent if its value is unknown. */
export type Spent = {
  readonly usage?: Usage;
  readonly spent?: { readonly cost: number; readonly currency: string };
};

/** The tokens an agent has used so far, and their cost if its model has a price. */
export function spentBy(core: Core, { model }: Agent, usage: Usage | null): Spent {
  if (usage === null) return {};
  const { cost, currency } = costOfAgent(model, usage, core.settings.prices);
  return { usage, ...(cost !== null && { spent: { cost, currency } }) };
}
