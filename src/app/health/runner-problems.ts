import type { Agent } from "../../domain/agents/agent.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import type { RunFailure } from "../../domain/health/runner-check.ts";
import {
  isLimit,
  isRunnerProblem,
  nextRunnerState,
  problemAfter,
  runnerStateOf,
  type ProblemKind,
  type RunnerProblem,
  type Seen,
} from "../../domain/health/runner-problem.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { DEFAULT_MODEL } from "../roles/resolve-runner.ts";
import { findElsewhere } from "../workers/find-elsewhere.ts";
import type { CliAnswer } from "./ask-cli.ts";
import { emitHealth } from "./health-events.ts";

/**
 * Before the first agent is started: problems outlive the daemon that found them. Without health
 * checks nothing would find out that a CLI is signed in again.
 */
export async function recallRunnerProblems(
  core: Pick<Core, "store" | "health" | "settings">,
): Promise<void> {
  const isChecked = core.settings.healthCheck.enabled;
  for (const problem of await core.store.listRunnerProblems()) {
    if (isChecked || isLimit(problem.kind)) core.health.setProblem(problem);
  }
}

/**
 * Takes over limits that another server has met: they belong to the account, which all servers use.
 * Whether a CLI is signed in differs by host.
 */
export async function followLimits(
  core: Pick<Core, "store" | "health" | "dispatchSoon">,
): Promise<void> {
  const limits = (await core.store.listRunnerProblems()).filter(({ kind }) => isLimit(kind));
  for (const { runner, kind } of core.health.problems()) {
    const isOver = isLimit(kind) && !limits.some((limit) => limit.runner === runner);
    if (isOver) core.health.clearProblem(runner);
  }
  for (const limit of limits) core.health.setProblem(limit);
  core.dispatchSoon();
}

/** What a failure with this model says about the runner as a whole; undefined: nothing. */
export function problemKindOf(
  { runners }: Pick<Core, "runners">,
  { runner, model }: Pick<Agent, "runner" | "model">,
  failure: RunFailure | null,
): ProblemKind | undefined {
  if (failure === null || !isRunnerProblem(failure) || runner === "rehearsal") return undefined;
  const isOfModel =
    failure === "signed-out" && runners.get(runner)?.signsInPerModel && model !== DEFAULT_MODEL;
  return isOfModel ? undefined : failure;
}

/** Stores the problem that a failed agent or health check has shown. */
export async function recordRunnerProblem(
  core: Core,
  unit: UnitOfWork,
  seen: Omit<Seen, "now">,
): Promise<void> {
  const known = await unit.getRunnerProblem(seen.runner);
  const problem = problemAfter(known, { ...seen, now: core.clock.now() });
  if (problem !== known) await putProblem(core, unit, problem);
}

/** The runner works: an agent that was started after the problem began got an answer, or a check passed. */
export async function recordRunnerWorks(
  core: Core,
  unit: UnitOfWork,
  runner: RunnerId,
  event: "answered" | "check_passed",
): Promise<void> {
  const known = await unit.getRunnerProblem(runner);
  if (!known) return;
  const state = runnerStateOf(known, core.clock.now());
  // It was paused again in the meantime.
  if (state === "paused" && event === "answered") return;
  nextRunnerState(state, event);
  await unit.deleteRunnerProblem(runner);
  unit.afterCommit(() => core.health.clearProblem(runner));
  await unit.emit({
    type: "runner:ready",
    groupId: null,
    agentId: null,
    data: { runner },
    at: core.clock.now(),
  });
}

/** Stores what one run of a CLI shows about the runner as a whole. */
export async function learnFromRun(
  core: Core,
  run: Pick<Agent, "runner" | "model">,
  { answered, failure, resetsAt = null, reason }: CliAnswer,
): Promise<void> {
  const { runner } = run;
  const kind = problemKindOf(core, run, failure);
  if (!answered && kind === undefined) return;
  if (answered) core.hostProblems?.remove(runner);
  else if (kind === "signed-out" && (await isUsableByOthers(core, runner, reason ?? ""))) return;
  await emitHealth(core, [], async (unit) => {
    if (answered) await recordRunnerWorks(core, unit, runner, "check_passed");
    else if (kind) {
      await recordRunnerProblem(core, unit, { runner, kind, resetsAt, reason: reason ?? "" });
    }
  });
}

/** Notes that this host is signed out. True: another host can use the CLI, so it is no problem of all. */
async function isUsableByOthers(core: Core, runner: RunnerId, reason: string): Promise<boolean> {
  if (!core.hostProblems) return false;
  core.hostProblems.add({ runner, kind: "signed-out", reason });
  // Any model: the CLI itself is asked for.
  const placed = { runner, model: "default", labels: [], workspaceId: null };
  const { homeDirectory: workingDirectory } = core.settings;
  return (await findElsewhere(core, { ...placed, workingDirectory }, { isNow: true })).runner;
}

/** A person ends a pause early: the next agent of this runner is started as a trial. */
export async function tryRunner(core: Core, runner: RunnerId): Promise<void> {
  await core.store.transaction(async (unit) => {
    const known = await unit.getRunnerProblem(runner);
    const now = core.clock.now();
    if (!known || known.until === null) throw notPaused(runner);
    nextRunnerState(runnerStateOf(known, now), "tried");
    await putProblem(core, unit, { ...known, until: Math.min(known.until, now) });
  });
}

async function putProblem(core: Core, unit: UnitOfWork, problem: RunnerProblem): Promise<void> {
  await unit.putRunnerProblem(problem);
  unit.afterCommit(() => core.health.setProblem(problem));
  const { runner, kind, reason, since, until, isResetKnown: resetKnown } = problem;
  await unit.emit({
    type: "runner:problem",
    groupId: null,
    agentId: null,
    data: { runner, kind, reason, since, until, resetKnown },
    at: core.clock.now(),
  });
}

function notPaused(runner: string): Refusal {
  return new Refusal("TRANSITION_NOT_ALLOWED", {
    en: [
      `The runner ${runner} is not paused.`,
      "GET /api/health-check shows which runners are paused. POST /api/health-check checks the roles again.",
    ],
    ja: [
      `ランナー ${runner} は休止していません。`,
      "休止中のランナーは GET /api/health-check で確かめられます。POST /api/health-check で職種を確認し直します。",
    ],
  });
}
