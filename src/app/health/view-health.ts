import type { RunnerId } from "../../domain/agents/runner.ts";
import type { HealthCheckResult } from "../../domain/health/health.ts";
import type { RunnerProblem } from "../../domain/health/runner-problem.ts";
import type { Core } from "../core.ts";
import type { Health, RolePhase } from "./health.ts";

export type RoleProgress = {
  readonly roleId: string;
  readonly runner: RunnerId;
  readonly model: string;
  readonly modelValidation: "waiting" | "valid" | "invalid";
  readonly healthCheck: "waiting" | "checking" | "passed" | "failed" | "skipped";
  readonly since: number;
};

export type HealthView = {
  readonly state: Health["state"];
  readonly step: Health["step"];
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly progress: readonly RoleProgress[];
  readonly results: readonly HealthCheckResult[];
  readonly problems: readonly RunnerProblem[];
};

/** The current or last check, without roles that were deleted since. */
export function viewHealth({ health, roles }: Core): HealthView {
  const { state, step, startedAt, finishedAt } = health;
  const results = health.all().filter(({ roleId }) => roles.has(roleId));
  const progress = results.flatMap((result) => {
    const phase = health.phaseOf(result.roleId);
    return phase ? [progressOf(result, phase)] : [];
  });
  return { state, step, startedAt, finishedAt, progress, results, problems: health.problems() };
}

/** Does not show results of an earlier run as results of this one. */
function progressOf(result: HealthCheckResult, { phase, since }: RolePhase): RoleProgress {
  const { roleId, runner, model, modelValidation, healthCheck } = result;
  const checking = phase === "checking" ? "checking" : "waiting";
  return {
    roleId,
    runner,
    model,
    modelValidation: phase === "waiting" ? "waiting" : modelValidation.status,
    healthCheck: phase === "done" ? healthCheck.status : checking,
    since,
  };
}
