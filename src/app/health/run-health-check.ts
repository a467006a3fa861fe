import { isFresh, pairKey, reasonOf, type HealthCheckResult } from "../../domain/health/health.ts";
import { mayHaveModel } from "../../domain/health/host-models.ts";
import { RUNNER_STATUSES, type RunnerCheck } from "../../domain/health/runner-check.ts";
import type { Core } from "../core.ts";
import { eachAtMost } from "../each-at-most.ts";
import { askTroubledRunners } from "./ask-troubled-runners.ts";
import { checkPair } from "./check-pair.ts";
import { learnRunner } from "./check-runner.ts";
import { emitHealth } from "./health-events.ts";
import { findCandidates, type Candidate } from "./health-targets.ts";
import type { HealthRequest } from "./health.ts";
import { learnModels } from "./learn-models.ts";

/** Reads the models of every CLI in use, then checks each model once, then reports the summary. */
export async function runHealthCheck(
  core: Core,
  { roleIds, force }: HealthRequest,
  signal: AbortSignal,
): Promise<void> {
  const { health } = core;
  const startedAt = core.clock.now();
  health.setStep(1);
  await recallPairs(core);
  let candidates = await findCandidates(core, roleIds);
  if (await askTroubledRunners(core, candidates)) {
    candidates = await findCandidates(core, roleIds);
  }
  // A failed check may move a role to its next runner, which is checked then.
  for (let due = candidates; due.length > 0; due = await movedSince(core, roleIds, candidates)) {
    candidates = [...candidates.filter((each) => !hasRole(due, each)), ...due];
    await checkCandidates(core, due, force, signal);
    if (signal.aborted) return;
  }
  health.setStep(3);
  const results = candidates.map(({ target }) => health.judge(target));
  await emitHealth(core, [complete(results, core.clock.now() - startedAt)]);
  report(core, results);
}

function hasRole(candidates: readonly Candidate[], { role }: Candidate): boolean {
  return candidates.some((each) => each.role.id === role.id);
}

/** Candidates whose runner has changed, without those that would return to a runner that failed. */
async function movedSince(
  core: Core,
  roleIds: readonly string[] | null,
  before: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const now = await findCandidates(core, roleIds);
  return now.filter(({ role, target }) => {
    const earlier = before.find((each) => each.role.id === role.id)?.target;
    const hasFailed = earlier !== undefined && core.health.problem(earlier.runner) !== undefined;
    return hasFailed && core.health.problem(target.runner) === undefined;
  });
}

async function checkCandidates(
  core: Core,
  candidates: readonly Candidate[],
  force: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { health, settings } = core;
  const targets = candidates.map(({ target }) => target);
  health.setTargets(targets);
  health.setPhase(idsOf(candidates), "waiting");

  await learnModels(core, targets, force, signal);
  if (signal.aborted) return;
  const validated = targets.map(health.judge);
  health.setPhase(idsOf(candidates), "validated");
  await emitHealth(core, [modelValidation(core, validated)]);

  health.setStep(2);
  const unasked = candidates.filter((each) => isInvalid(core, each) || isOnWorkersOnly(core, each));
  health.setPhase(idsOf(unasked), "done");
  const pairs = Map.groupBy(
    candidates.filter((candidate) => !unasked.includes(candidate)),
    ({ target }) => pairKey(target),
  );
  const checks: RunnerCheck[] = [];
  await eachAtMost(settings.healthCheck.concurrency, pairs.values(), async (members) => {
    const check = await checkPair(core, members, force, signal);
    if (check) checks.push(check);
  });
  if (signal.aborted) return;
  for (const check of bestOfEachRunner(checks)) await learnRunner(core, check);
}

/** A run may fail because of its model alone, so a run that worked says more about the CLI. */
function bestOfEachRunner(checks: readonly RunnerCheck[]): readonly RunnerCheck[] {
  return [...Map.groupBy(checks, ({ runner }) => runner).values()].flatMap(
    (ofRunner) =>
      RUNNER_STATUSES.flatMap((is) => ofRunner.filter((each) => each.status === is))[0] ?? [],
  );
}

/** Loads fresh results of an earlier daemon; failed ones count only until they are checked again. */
async function recallPairs(core: Core): Promise<void> {
  for (const record of await core.store.listHealth()) {
    const isKnown = core.health.pair(record) !== undefined;
    const { cacheTtlMs } = core.settings.healthCheck;
    if (!isKnown && isFresh(record.checkedAt, core.clock.now(), cacheTtlMs)) {
      core.health.learnPair(record);
    }
  }
}

function isInvalid({ health }: Core, { target }: Candidate): boolean {
  return health.judge(target).modelValidation.status === "invalid";
}

/** The CLI of this server would fail with a model that only workers have. */
function isOnWorkersOnly({ health }: Core, { target }: Candidate): boolean {
  return target.missing === null && !mayHaveModel(target, health.models(target.runner)?.models);
}

function idsOf(candidates: readonly Candidate[]): string[] {
  return candidates.map(({ role }) => role.id);
}

function modelValidation({ health }: Core, results: readonly HealthCheckResult[]) {
  const runners = new Set(results.map(({ runner }) => runner));
  return {
    type: "healthcheck:model_validation" as const,
    data: {
      results: results.map(({ roleId, runner, model, modelValidation: validation }) => ({
        roleId,
        runner,
        model,
        ...validation,
      })),
      availableModels: Object.fromEntries(
        [...runners].map((id) => [id, health.models(id)?.models ?? []]),
      ),
    },
  };
}

function complete(results: readonly HealthCheckResult[], durationMs: number) {
  return {
    type: "healthcheck:complete" as const,
    data: {
      total: results.length,
      available: results.filter(({ available }) => available).length,
      duration_ms: durationMs,
      results,
    },
  };
}

function report({ log }: Core, results: readonly HealthCheckResult[]): void {
  for (const result of results) {
    const { roleId, runner, model, available, modelValidation: validation } = result;
    const about = { role: roleId, runner, model };
    if (available && runner === "rehearsal") {
      log.debug("Role only rehearses, so its model is not checked.", { role: roleId });
    } else if (available) {
      const ms = result.healthCheck.responseTime_ms;
      log.info("Role is available.", { ...about, ...(ms !== undefined && { responseMs: ms }) });
    } else {
      const { suggestions } = validation;
      const instead = suggestions.length > 0 ? { suggestions: suggestions.join(", ") } : {};
      log.warn("Role is not available.", { ...about, reason: reasonOf(result), ...instead });
    }
  }
  const available = results.filter((result) => result.available).length;
  log.info("Health check complete.", { roles: results.length, available });
}
