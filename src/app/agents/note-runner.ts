import type { Agent } from "../../domain/agents/agent.ts";
import { type AgentProgress, callsOf } from "../../domain/agents/progress.ts";
import { failureOf, type ProcessEnd } from "../../domain/agents/result.ts";
import type { Core } from "../core.ts";
import { problemsHere } from "../health/problems-here.ts";
import {
  problemKindOf,
  recordRunnerProblem,
  recordRunnerWorks,
} from "../health/runner-problems.ts";
import type { UnitOfWork } from "../ports/store.ts";
import type { Observation } from "../ports/supervisor.ts";
import { obeysPauses } from "./paused-runners.ts";

/** An answer to an agent that was started after the problem of its runner began ends the problem. */
export async function noteAnswer(
  core: Core,
  unit: UnitOfWork,
  agent: Agent,
  progress: AgentProgress,
): Promise<void> {
  const { runner, startedAt } = agent;
  if (!obeysPauses(agent) || startedAt === null || !hasAnswer(progress)) return;
  const here = problemsHere(core);
  if (startedAt >= (here?.find(runner)?.since ?? Infinity)) here?.remove(runner);
  const problem = core.health.knownProblem(runner);
  if (!problem || startedAt < (problem.until ?? problem.since)) return;
  await recordRunnerWorks(core, unit, runner, "answered");
}

/** Text alone proves nothing: some CLIs print a limit as a message of the model. */
function hasAnswer(progress: AgentProgress): boolean {
  const { usage, end } = progress;
  return callsOf(progress) > 0 || end?.ok === true || (usage?.outputTokens ?? 0) > 0;
}

/**
 * Stores what the failure of an agent says about its runner. `isUsableElsewhere`: a CLI that is signed
 * out on this host is no problem of the others.
 */
export async function noteFailure(
  core: Core,
  unit: UnitOfWork,
  agent: Agent,
  progress: AgentProgress,
  end: ProcessEnd,
  isUsableElsewhere = false,
): Promise<void> {
  const failure = progress.end?.ok === true ? undefined : failureOf(agent, progress, end);
  const kind = problemKindOf(core, agent, failure?.kind ?? null);
  if (!failure || !kind || !obeysPauses(agent)) return;
  const reason = progress.end?.error ?? progress.retries.lastReason ?? end.diagnosis?.message ?? "";
  const { resetsAt } = failure;
  const { runner } = agent;
  // A server also settles the agents of hosts that are gone.
  const isHere = agent.workerId === core.serverId;
  if (kind === "signed-out" && isHere) problemsHere(core)?.add({ runner, kind, reason });
  if (kind === "signed-out" && isUsableElsewhere) return;
  await recordRunnerProblem(core, unit, { runner, kind, resetsAt, reason });
}

/** The CLI was removed from the host after it had said that it has it. */
export function noteMissing(
  core: Core,
  { runner }: Agent,
  { isMissing, error }: Extract<Observation, { type: "start_failed" }>,
): void {
  if (isMissing) problemsHere(core)?.add({ runner, kind: "not-installed", reason: error });
}
