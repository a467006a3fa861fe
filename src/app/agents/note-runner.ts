import type { Agent } from "../../domain/agents/agent.ts";
import { type AgentProgress, callsOf } from "../../domain/agents/progress.ts";
import { failureOf, type ProcessEnd } from "../../domain/agents/result.ts";
import type { Core } from "../core.ts";
import {
  problemKindOf,
  recordRunnerProblem,
  recordRunnerWorks,
} from "../health/runner-problems.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { obeysPauses } from "./paused-runners.ts";

/** An answer to an agent that was started after the problem of its runner began ends the problem. */
export async function noteAnswer(
  core: Core,
  unit: UnitOfWork,
  agent: Agent,
  progress: AgentProgress,
): Promise<void> {
  const problem = core.health.problem(agent.runner);
  if (!problem || !obeysPauses(agent) || agent.startedAt === null) return;
  if (agent.startedAt < (problem.until ?? problem.since)) return;
  if (hasAnswer(progress)) await recordRunnerWorks(core, unit, agent.runner, "answered");
}

/** Text alone proves nothing: some CLIs print a limit as a message of the model. */
function hasAnswer(progress: AgentProgress): boolean {
  const { usage, end } = progress;
  return callsOf(progress) > 0 || end?.ok === true || (usage?.outputTokens ?? 0) > 0;
}

/** Stores what the failure of an agent says about its runner. */
export async function noteFailure(
  core: Core,
  unit: UnitOfWork,
  agent: Agent,
  progress: AgentProgress,
  end: ProcessEnd,
): Promise<void> {
  const failure = progress.end?.ok === true ? undefined : failureOf(agent, progress, end);
  const kind = problemKindOf(core, agent, failure?.kind ?? null);
  if (!failure || !kind || !obeysPauses(agent)) return;
  const reason = progress.end?.error ?? progress.retries.lastReason ?? end.diagnosis?.message ?? "";
  const { resetsAt } = failure;
  await recordRunnerProblem(core, unit, { runner: agent.runner, kind, resetsAt, reason });
}
