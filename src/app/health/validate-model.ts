import type { HealthCheckResult } from "../../domain/health/health.ts";
import type { Role } from "../../domain/roles/role.ts";
import type { Core } from "../core.ts";
import { requireRole } from "../roles/require-role.ts";
import { checkHealthSoon } from "./check-health.ts";
import { emitHealth } from "./health-events.ts";
import { findCandidate } from "./health-targets.ts";
import { learnModels } from "./learn-models.ts";

/** Asks the role's CLI for its models. The role need not be stored yet; emits no event. */
export async function validateModel(core: Core, role: Role): Promise<HealthCheckResult> {
  const { target } = await findCandidate(core, role);
  await learnModels(core, [target], true, core.health.closing);
  return core.health.judge(target);
}

/** Validates the model again, emits the result, and then starts a health check of a valid model. */
export async function revalidateRole(core: Core, roleId: string): Promise<HealthCheckResult> {
  const result = await validateModel(core, requireRole(core, roleId));
  const { runner, model, modelValidation } = result;
  await emitHealth(core, [
    {
      type: "healthcheck:model_validation",
      data: {
        results: [{ roleId, runner, model, ...modelValidation }],
        availableModels: { [runner]: core.health.models(runner)?.models ?? [] },
      },
    },
  ]);
  checkHealthSoon(core, { roleIds: [roleId] });
  return result;
}
