import type { Core } from "../core.ts";
import { requireRole } from "../roles/require-role.ts";
import { runHealthCheck } from "./run-health-check.ts";

export type CheckHealth = { readonly roleIds?: readonly string[]; readonly force?: boolean };

/** Checks the named roles, or all; resolves when that is done, whatever was found. */
export async function checkHealth(core: Core, input: CheckHealth = {}): Promise<void> {
  const { roleIds = null, force = false } = input;
  for (const id of roleIds ?? []) requireRole(core, id);
  await core.health.inTurn({ roleIds, force }, async (request, signal) => {
    try {
      await runHealthCheck(core, request, signal);
    } catch (error) {
      core.log.error("The health check broke off.", { error: String(error) });
    }
  });
}

/** In the background from the daemon's start: nobody ever waits for it. */
export function startHealthChecks(core: Core): void {
  if (core.settings.healthCheck.enabled) checkHealthSoon(core);
}

/** Nobody waits, so a role that has gone meanwhile is nobody's trouble. */
export function checkHealthSoon(core: Core, input: CheckHealth = {}): void {
  checkHealth(core, input).catch((error: unknown) => {
    core.log.debug("A health check was not begun.", { error: String(error) });
  });
}
