import { isFresh, type Pair, type PairHealth } from "../../domain/health/health.ts";
import type { RunnerCheck } from "../../domain/health/runner-check.ts";
import type { Core } from "../core.ts";
import type { FoundRunner } from "../roles/resolve-runner.ts";
import { runOnce } from "./check-runner.ts";
import { emitHealth, type HealthEvent } from "./health-events.ts";
import type { Candidate } from "./health-targets.ts";
import { problemKindOf } from "./runner-problems.ts";

const REHEARSAL = { ok: true, reason: "rehearsal: no model is asked", responseMs: null };

/**
 * Asks one model of one runner in one access mode, once for all roles that use them. Returns what the
 * run showed about the CLI; undefined: it was not run.
 */
export async function checkPair(
  core: Core,
  members: readonly Candidate[],
  force: boolean,
  signal: AbortSignal,
): Promise<RunnerCheck | undefined> {
  const asker = chooseAsker(members);
  if (!asker || signal.aborted) return undefined;
  const roleIds = members.map(({ role }) => role.id);
  if (!force && hasFreshPass(core, asker)) {
    core.health.setPhase(roleIds, "done");
    await emitHealth(core, completions(core, members, true));
    return undefined;
  }

  core.health.setPhase(roleIds, "checking");
  await emitHealth(core, members.map(startOf));
  const asked = asker.found && (await askOne(core, asker, asker.found, signal));
  if (signal.aborted) return undefined;
  const pair = asked?.pair;
  if (pair) core.health.learnPair(pair);
  core.health.setPhase(roleIds, "done");
  await emitHealth(core, completions(core, members, false), async (unit) => {
    if (pair) await unit.putHealth(pair);
  });
  return asked?.check;
}

/** Several roles may share the check; the prompt of one of them is used. */
function chooseAsker(members: readonly Candidate[]): Candidate | undefined {
  return members.find(({ isWanted }) => isWanted) ?? members[0];
}

function hasFreshPass(core: Core, { target, found }: Candidate): boolean {
  const known = core.health.pair(target);
  const { cacheTtlMs } = core.settings.healthCheck;
  return (
    found !== undefined &&
    core.health.problem(target.runner) === undefined &&
    core.hostProblems?.find(target.runner) === undefined &&
    known?.status === "passed" &&
    isFresh(known.checkedAt, core.clock.now(), cacheTtlMs)
  );
}

/** `pair` is absent if the runner has a problem: the run says nothing about the model then. */
type Asked = { readonly pair?: Pair & PairHealth; readonly check?: RunnerCheck };

async function askOne(
  core: Core,
  { role, target: { runner, model, access } }: Candidate,
  found: FoundRunner,
  signal: AbortSignal,
): Promise<Asked> {
  const prompt = role.healthCheckPrompt;
  const run =
    runner === "rehearsal"
      ? undefined
      : await runOnce(core, found, { model, access, prompt }, signal);
  // If the problem could not be stored, the role fails its check instead.
  const hasProblem = (core.health.problem(runner) ?? core.hostProblems?.find(runner)) !== undefined;
  if (run && hasProblem && problemKindOf(core, { runner, model }, run.answer.failure)) {
    return { check: run.check };
  }
  const { ok, reason, responseMs } = run?.answer ?? REHEARSAL;
  return {
    pair: {
      runner,
      model,
      access,
      status: ok ? "passed" : "failed",
      reason,
      responseMs,
      checkedAt: core.clock.now(),
      ...(run && { connected: run.answer.connected, calledTool: run.answer.calledTool }),
    },
    ...(run && { check: run.check }),
  };
}

function startOf({ target: { roleId, runner, model } }: Candidate): HealthEvent {
  return { type: "healthcheck:role_start", data: { roleId, runner, model } };
}

function completions(
  { health }: Core,
  members: readonly Candidate[],
  cached: boolean,
): HealthEvent[] {
  return members.map(({ target }) => ({
    type: "healthcheck:role_complete",
    data: { ...health.judge(target), cached },
  }));
}
