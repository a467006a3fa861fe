import type { Observation, Supervisor } from "../../app/ports/supervisor.ts";
import type { SpoolShipper } from "./spool/ship-spool.ts";
import { createSupervisor, type SupervisorOptions } from "./supervisor.ts";

/**
 * A supervisor that sends the output of its agents to where it is stored for all servers. It compares
 * times with those of files, so it has the clock of this host: `offsetMs` is how much later it is on the
 * clock that all servers share. A worker leaves that to its server.
 */
export function createShippingSupervisor(
  options: SupervisorOptions,
  shipper: SpoolShipper,
  offsetMs: () => number = () => 0,
): Supervisor {
  const supervisor = createSupervisor({
    ...options,
    // A reader who sees that an agent has ended reads its transcript once more, and then stops.
    async observe(batch) {
      const ends = batch.filter(isEnd);
      if (ends.length > 0) await shipper.end(ends);
      const offset = offsetMs();
      await options.observe(
        batch.map((each) => (each.type === "started" ? { ...each, at: each.at + offset } : each)),
      );
    },
  });
  return {
    ...supervisor,
    async launch(launch) {
      shipper.follow(launch);
      await supervisor.launch(launch);
    },
    adopt(adoption) {
      shipper.follow(adoption);
      const { startedAt } = adoption;
      supervisor.adopt({ ...adoption, startedAt: startedAt && startedAt - offsetMs() });
    },
    async removeSpool(agentIds) {
      await shipper.forget(agentIds);
      await supervisor.removeSpool(agentIds);
    },
    async close(how) {
      await supervisor.close(how);
      await shipper.close();
    },
  };
}

function isEnd({ type }: Observation): boolean {
  return type === "ended" || type === "start_failed" || type === "not_launched";
}
