import { isFresh } from "../../domain/health/health.ts";
import type { Core } from "../core.ts";
import type { ProbeAnswer } from "../ports/health.ts";
import type { HealthRecord } from "../ports/store.ts";
import { requestedModel, type ResolvedRunner } from "../roles/resolve-runner.ts";
import { emitHealth, type HealthEvent } from "./health-events.ts";
import type { Candidate } from "./health-targets.ts";

const REHEARSAL: ProbeAnswer = {
  ok: true,
  reason: "rehearsal: no model is asked",
  responseMs: null,
};

/** Asks one model of one runner in one access mode, once for all roles that use them. */
export async function checkPair(
  core: Core,
  members: readonly Candidate[],
  force: boolean,
  signal: AbortSignal,
): Promise<void> {
  const asker = chooseAsker(members);
  if (!asker || signal.aborted) return;
  const roleIds = members.map(({ role }) => role.id);
  if (!force && hasFreshPass(core, asker)) {
    core.health.setPhase(roleIds, "done");
    return emitHealth(core, completions(core, members, true));
  }

  core.health.setPhase(roleIds, "checking");
  await emitHealth(core, members.map(startOf));
  const record = asker.found && (await askOne(core, asker, asker.found, signal));
  if (signal.aborted) return;
  if (record) core.health.learnPair(record);
  core.health.setPhase(roleIds, "done");
  await emitHealth(core, completions(core, members, false), async (unit) => {
    if (record) await unit.putHealth(record);
  });
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
    known?.status === "passed" &&
    isFresh(known.checkedAt, core.clock.now(), cacheTtlMs)
  );
}

async function askOne(
  core: Core,
  { role, target }: Candidate,
  { runner, command }: ResolvedRunner,
  signal: AbortSignal,
): Promise<HealthRecord> {
  const answer = runner.id === "rehearsal" ? REHEARSAL : await ask();
  return {
    runner: runner.id,
    model: target.model,
    access: target.access,
    status: answer.ok ? "passed" : "failed",
    reason: answer.reason,
    responseMs: answer.responseMs,
    checkedAt: core.clock.now(),
  };

  function ask(): Promise<ProbeAnswer> {
    const env = core.environment.forProbe(runner.id);
    return core.healthProbe.ask(
      {
        runner,
        executable: command,
        model: requestedModel(target.model),
        prompt: role.healthCheckPrompt,
        access: target.access,
        env,
        secrets: runner.vendorVariables.flatMap((name) => env[name] ?? []),
        timeoutMs: core.settings.healthCheck.timeoutMs,
      },
      signal,
    );
  }
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
