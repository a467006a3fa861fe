import type { Agent } from "../../domain/agents/agent.ts";
import { mayHaveModel, type ModelList } from "../../domain/health/host-models.ts";
import type { Core } from "../core.ts";

/** Whether a host whose CLI lists these models may run the agent. */
export function mayRunModel(
  { runners }: Pick<Core, "runners">,
  { runner, model }: Pick<Agent, "runner" | "model">,
  list: ModelList,
): boolean {
  const { defaultModel = null, takesOtherModels = false } = runners.get(runner) ?? {};
  return mayHaveModel({ model, defaultModel, takesOtherModels }, list);
}
