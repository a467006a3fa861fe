import { spentBy } from "../../app/agents/spent.ts";
import { previewOf } from "../../app/agents/status-update.ts";
import { toolActivity } from "../../app/agents/tool-activity.ts";
import { explainWaiting, type WaitingFor } from "../../app/agents/waiting-for.ts";
import type { Core } from "../../app/core.ts";
import type { AgentView } from "../../app/ports/store.ts";
import { agentCard, type AgentCard } from "../../contract/shapes/agents.ts";
import type { WireRunnerProblem } from "../../contract/shapes/health.ts";
import { iso, isoOrNull } from "../../contract/shapes/iso.ts";
import type { RunnerProblem } from "../../domain/health/runner-problem.ts";

function cardOf(core: Core, { agent, ...view }: AgentView, waitingFor: WaitingFor): AgentCard {
  const seen = {
    toolCallCount: view.toolCallCount,
    lastMessage: previewOf(view.lastMessage),
    ...toolActivity(view),
    ...spentBy(core, agent, view),
  };
  return { ...agentCard(agent, seen, core.clock.now()), ...waitingFor(agent) };
}

/** Agents in REST answers and in the live state. */
export async function cardsOf(core: Core, views: readonly AgentView[]): Promise<AgentCard[]> {
  const waitingFor = await explainWaiting(
    core,
    views.map(({ agent }) => agent),
  );
  return views.map((view) => cardOf(core, view, waitingFor));
}

export function wireProblem(problem: RunnerProblem): WireRunnerProblem {
  const { runner, kind, reason, since, until, isResetKnown } = problem;
  return {
    runner,
    kind,
    reason,
    since: iso(since),
    until: isoOrNull(until),
    resetKnown: isResetKnown,
  };
}
