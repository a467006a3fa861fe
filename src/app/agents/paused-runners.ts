import type { Agent } from "../../domain/agents/agent.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import { runnerStateOf, type RunnerState } from "../../domain/health/runner-problem.ts";
import type { Core } from "../core.ts";

/** A client's own key belongs to another account, with limits of its own. */
export function obeysPauses({ clientKeys }: Pick<Agent, "clientKeys">): boolean {
  return clientKeys.length === 0;
}

/** Runners whose agents must wait: paused ones, and those on trial whose one agent runs. */
export async function pausedRunners(core: Core): Promise<readonly RunnerId[]> {
  const problems = core.health.problems();
  if (problems.length === 0) return [];
  const live = await core.store.listLiveAgents();
  return problems
    .filter(({ runner, until }) => {
      const state = stateOf(core, runner);
      if (state !== "trial") return state === "paused";
      const isTrial = (agent: Agent): boolean =>
        agent.runner === runner &&
        obeysPauses(agent) &&
        (agent.startedAt === null || agent.startedAt >= (until ?? 0));
      return live.some(isTrial);
    })
    .map(({ runner }) => runner);
}

/** Leaves only the first agent of each runner on trial. */
export function oneForEachTrial(core: Core, due: readonly Agent[]): readonly Agent[] {
  const tried = new Set<RunnerId>();
  return due.filter((agent) => {
    if (!obeysPauses(agent) || stateOf(core, agent.runner) !== "trial") return true;
    if (tried.has(agent.runner)) return false;
    tried.add(agent.runner);
    return true;
  });
}

function stateOf({ health, clock }: Core, runner: RunnerId): RunnerState {
  return runnerStateOf(health.problem(runner), clock.now());
}
