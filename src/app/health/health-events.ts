import type { EventOf } from "../../contract/events/events.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";

type HealthType =
  `healthcheck:${"model_validation" | "role_start" | "role_complete" | "runner_complete" | "complete"}`;

export type HealthEvent = {
  [Type in HealthType]: Pick<EventOf<Type>, "type" | "data">;
}[HealthType];

/**
 * Stores the results of a health check. If the store cannot write (disk full), only the stored
 * events are lost: the results stay in memory, and the next start checks again.
 */
export async function emitHealth(
  core: Core,
  events: readonly HealthEvent[],
  write: (unit: UnitOfWork) => Promise<void> = async () => {},
): Promise<void> {
  try {
    await core.store.transaction(async (unit) => {
      await write(unit);
      for (const event of events) {
        await unit.emit({ ...event, groupId: null, agentId: null, at: core.clock.now() });
      }
    });
  } catch (error) {
    core.log.warn("A health check result could not be stored.", { error: String(error) });
  }
}
