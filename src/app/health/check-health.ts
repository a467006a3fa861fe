import type { Core } from "../core.ts";
import { requireRole } from "../roles/require-role.ts";
import { runHealthCheck } from "./run-health-check.ts";

export type CheckHealth = { readonly roleIds?: readonly string[]; readonly force?: boolean };

/** Checks the named roles, or all; resolves when the check is complete, even if roles failed it. */
export async function checkHealth(core: Core, input: CheckHealth = {}): Promise<void> {
  const { roleIds = null, force = false } = input;
  for (const id of roleIds ?? []) requireRole(core, id);
  await core.health.inTurn({ roleIds, force }, async (request, signal) => {
    try {
      await runHealthCheck(core, request, signal);
    } catch (error) {
      core.log.error("The health check failed.", { error: String(error) });
    }
  });
}

/** Runs in the background: the daemon's start does not wait for it. */
export function startHealthChecks(core: Core): void {
  if (core.settings.healthCheck.enabled) checkHealthSoon(core);
}

/** Checks in the background. A role that was deleted in the meantime is only logged. */
export function checkHealthSoon(core: Core, input: CheckHealth = {}): void {
  checkHealth(core, input).catch((error: unknown) => {
    core.log.debug("A health check did not start.", { error: String(error) });
  });
}
