import { isFresh, reasonOf, type HealthCheckResult } from "../../domain/health/health.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/roles/role.ts";
import type { Core, Identity } from "../core.ts";
import { checkHealthSoon } from "../health/check-health.ts";
import { targetOf } from "../health/health-targets.ts";
import type { Runner } from "../ports/runner.ts";
import { namesOfClientKeys } from "./names-of-client-keys.ts";

/**
 * Refuses a role whose model is invalid or whose health check failed. Callers have waited for the
 * list of models; a check that still runs is not awaited.
 */
export function assertAvailable(core: Core, role: Role, runner: Runner, identity: Identity): void {
  const result = availabilityOf(core, role, runner);
  const reason = reasonOf(result);
  if (reason === null) return;
  const isInvalid = result.modelValidation.status === "invalid";
  if (!isInvalid && bringsOwnKeys(core, runner, identity)) return;

  const isAskedAgain = !isRecent(core, result);
  if (isAskedAgain) checkHealthSoon(core, { roleIds: [role.id] });
  throw unavailable(
    result,
    reason,
    isAskedAgain ? "It is being checked again now: call again in a minute." : hintFor(result),
  );
}

/** For roles of tasks (planner, executor, …): refuses only a model that the CLI does not have. */
export function assertModelValid(core: Core, role: Role, runner: Runner): void {
  const result = availabilityOf(core, role, runner);
  if (result.modelValidation.status === "valid") return;
  throw unavailable(result, reasonOf(result) ?? "", hintForTask(result));
}

function unavailable(result: HealthCheckResult, reason: string, hint: string): Refusal {
  return new Refusal(
    "ROLE_UNAVAILABLE",
    `Role ${result.roleId} (${result.runner}, ${result.model}) is not available: ${reason}`,
    hint,
  );
}

export function availabilityOf(core: Core, role: Role, runner: Runner): HealthCheckResult {
  return core.health.judge(targetOf(core, role, runner));
}

/** The health check uses the daemon's keys, so it says nothing about a client with its own keys. */
function bringsOwnKeys(core: Core, runner: Runner, identity: Identity): boolean {
  return namesOfClientKeys(core, runner, Object.keys(identity.keys ?? {})).length > 0;
}

/** An older failure is checked again when the role is used: the CLI may be repaired. */
function isRecent(core: Core, { healthCheck, modelValidation }: HealthCheckResult): boolean {
  const checkedAt = Date.parse(healthCheck.checkedAt ?? modelValidation.checkedAt);
  return isFresh(checkedAt, core.clock.now(), core.settings.healthCheck.cacheTtlMs);
}

/** Health checks do not cover the roles of tasks; a retry reads the models of the CLI again. */
function hintForTask({ roleId, runner, modelValidation: { suggestions } }: HealthCheckResult) {
  const models = suggestions.length > 0 ? ` to one of: ${suggestions.join(", ")}` : "";
  return `Set the model of the role ${roleId} in kuromajutsu.config.yaml${models}, run \`kuromajutsu reload\`, then retry the task. Or update ${runner} so that it has the model, and retry the task after a minute.`;
}

function hintFor({ roleId, runner, modelValidation: { suggestions } }: HealthCheckResult): string {
  const again = `POST /api/health-check {"roleIds":["${roleId}"]} checks it again`;
  return suggestions.length > 0
    ? `Set the role's model to one of: ${suggestions.join(", ")}; ${again}. Or use another role: list_roles says which are available.`
    : `A person can run \`kuromajutsu doctor --runner ${runner}\`, which says how to repair the CLI; then ${again}. Or use another role: list_roles says which are available.`;
}
