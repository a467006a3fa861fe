import type { Core } from "../core.ts";
import type { StoredEvent, UnitOfWork } from "../ports/store.ts";

export type HealthEvent = {
  readonly type:
    | "healthcheck:model_validation"
    | "healthcheck:role_start"
    | "healthcheck:role_complete"
    | "healthcheck:complete";
  readonly data: Readonly<Record<string, unknown>>;
};

/**
 * Writes and tells what a health check found. A store that cannot write (disk full) costs the
 * event, not the check: what was learnt is in memory, and the next start asks again.
 */
export async function tellHealth(
  core: Core,
  events: readonly HealthEvent[],
  write: (unit: UnitOfWork) => Promise<void> = async () => {},
): Promise<void> {
  try {
    const stored = await core.store.transaction(async (unit) => {
      await write(unit);
      const told: StoredEvent[] = [];
      for (const { type, data } of events) {
        const at = core.clock.now();
        told.push(await unit.appendEvent({ type, data, groupId: null, agentId: null, at }));
      }
      return told;
    });
    core.live.publish(stored);
  } catch (error) {
    core.log.warn("A health check result could not be stored.", { error: String(error) });
  }
}
