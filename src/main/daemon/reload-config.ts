import { startHealthChecks } from "../../app/health/check-health.ts";
import { announceConfig } from "../../app/roles/save-roles.ts";
import type { Composed } from "./compose.ts";

/** Reads the configuration again. Returns the settings that are used from the next start on. */
export async function reloadConfig(composed: Composed): Promise<readonly string[]> {
  const { core } = composed;
  await composed.reload();
  startHealthChecks(core);
  await announceConfig(core, { change: "reloaded", hash: core.editing?.loadedHash() ?? "" });
  const waiting = composed.waitingForRestart();
  core.log.info("The configuration was read again and is in use now.");
  if (waiting.length > 0) {
    core.log.warn(`Changed, and in use after a restart: ${waiting.join(", ")}.`);
  }
  return waiting;
}

/** SIGHUP reads the configuration again; a wrong one changes nothing. */
export function reloadOnHangUp(composed: Composed): { readonly stop: () => void } {
  let isStopped = false;
  async function reload(): Promise<void> {
    if (isStopped) return;
    try {
      await reloadConfig(composed);
    } catch (error) {
      composed.core.log.error(`The configuration was not taken over. ${String(error)}`);
    }
  }
  process.on("SIGHUP", () => void reload());
  // The listener stays: without it the signal would end the process in the middle of its shutdown.
  return { stop: () => void (isStopped = true) };
}
