import type { Failure, RunnerId } from "../../domain/agents/runner.ts";
import {
  isRunnerProblem,
  LIMITS,
  nextRunnerState,
  problemAfter,
  runnerStateOf,
  type RunnerProblem,
} from "../../domain/health/runner-problem.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import type { CliAnswer } from "./ask-cli.ts";
import { emitHealth } from "./health-events.ts";

/** Before the first agent is started: problems outlive the daemon that found them. */
export async function recallRunnerProblems(core: Pick<Core, "store" | "health">): Promise<void> {
  for (const problem of await core.store.listRunnerProblems()) core.health.setProblem(problem);
}

/** Stores what a failed agent or health check says about its runner. Other failures say nothing. */
export async function recordRunnerFailure(
  core: Core,
  unit: UnitOfWork,
  runner: RunnerId,
  { kind, resetsAt }: Failure,
  reason: string,
): Promise<void> {
  if (!isRunnerProblem(kind) || runner === "rehearsal") return;
  const known = await problemIn(unit, runner);
  const seen = { runner, kind, resetsAt, reason, now: core.clock.now() };
  const problem = problemAfter(known, seen);
  if (problem !== known) await putProblem(core, unit, problem);
}

/** The runner works: an agent that was started after the problem began got an answer, or a check passed. */
export async function recordRunnerWorks(
  core: Core,
  unit: UnitOfWork,
  runner: RunnerId,
  event: "answered" | "check_passed",
): Promise<void> {
  const known = await problemIn(unit, runner);
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

/** What one run of a CLI shows about the runner as a whole. */
export async function learnFromRun(core: Core, runner: RunnerId, answer: CliAnswer): Promise<void> {
  const { answered, failure, resetsAt = null, reason } = answer;
  const isKnown = failure !== null && failure !== "not-started" && failure !== "timeout";
  if (!answered && !isKnown) return;
  await emitHealth(core, [], async (unit) => {
    if (answered) await recordRunnerWorks(core, unit, runner, "check_passed");
    else if (isKnown) {
      await recordRunnerFailure(core, unit, runner, { kind: failure, resetsAt }, reason ?? "");
    }
  });
}

/** A run that a limit ended. Roles stay available, and their agents wait. */
export function isLimited({ ok, failure }: Pick<CliAnswer, "ok" | "failure">): boolean {
  return !ok && LIMITS.some((kind) => kind === failure);
}

/** A person ends a pause early: the next agent of this runner is started as a trial. */
export async function tryRunner(core: Core, runner: RunnerId): Promise<void> {
  await core.store.transaction(async (unit) => {
    const known = await problemIn(unit, runner);
    const now = core.clock.now();
    if (!known || known.until === null) throw notPaused(runner);
    nextRunnerState(runnerStateOf(known, now), "tried");
    await putProblem(core, unit, { ...known, until: Math.min(known.until, now) });
  });
}

async function problemIn(unit: UnitOfWork, runner: RunnerId): Promise<RunnerProblem | undefined> {
  return (await unit.listRunnerProblems()).find((each) => each.runner === runner);
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
  return new Refusal(
    "TRANSITION_NOT_ALLOWED",
    `The runner ${runner} is not paused.`,
    "GET /api/health-check shows which runners are paused. POST /api/health-check checks the roles again.",
  );
}
